# One image for the operator and the proxy: the programs of dist/, and the Node they are tested with, for the image's own platform.
# `npm run image-files` prepares dist/ for amd64 and arm64; nothing is fetched or run while the image is built.
#
# The base must hold libatomic.so.1, which Node 26 links and plain Debian and distroless images lack, libstdc++ and glibc.
# The release adds the digest to the tag.
ARG BASE=docker.io/library/node:26-trixie-slim
FROM ${BASE}

ARG TARGETARCH
COPY --chmod=0755 dist/node/${TARGETARCH}/node /app/bin/node
COPY --chmod=0644 dist/operator.mjs dist/proxy.mjs /app/
COPY --chmod=0755 dist/cfgwctl.mjs /app/
COPY --chmod=0644 LICENSE dist/NOTICE dist/node/NODE-LICENSE /app/

ENV NODE_ENV=production PATH=/app/bin:/usr/local/bin:/usr/bin:/bin
WORKDIR /app
USER 65534:65534
ENTRYPOINT ["/app/bin/node", "/app/cfgwctl.mjs"]
CMD ["--help"]
