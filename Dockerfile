# Waypost as a container: docker build -t waypost .
# No step depends on the kind of machine: docker buildx build --platform linux/amd64,linux/arm64 …

FROM node:26.10.0-bookworm-slim AS build
WORKDIR /src
COPY . .
# This image is the Node that the project pins; the package that would fetch another one is not asked to.
RUN npm ci --ignore-scripts --no-audit --no-fund
RUN npm run package
RUN npm install --prefix /opt/waypost --omit=optional --ignore-scripts --no-audit --no-fund ./build/waypost-*.tgz
# A start on a store that is thrown away fills the cache of compiled code, which lies next to the code: the root is read-only later.
RUN install --directory --owner=node --group=node /opt/waypost/node_modules/waypost/node_modules/.cache
USER node
RUN WAYPOST_DATA_DIR=/tmp/store WAYPOST_PORT=0 timeout --preserve-status 30 /opt/waypost/node_modules/.bin/waypost serve >/dev/null 2>&1

FROM node:26.10.0-bookworm-slim
LABEL org.opencontainers.image.title="Waypost" \
      org.opencontainers.image.description="One API over people's mail and calendars, self-hosted" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="1.3.2"
COPY --from=build /opt/waypost /opt/waypost
RUN install --directory --owner=node --group=node --mode=0700 /data
# Has glibc return freed memory: docs/adr/0031-memory-and-start.md.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    MALLOC_TRIM_THRESHOLD_=1048576 \
    PATH=/opt/waypost/node_modules/.bin:$PATH \
    WAYPOST_HOST=0.0.0.0 \
    WAYPOST_DATA_DIR=/data
# By number, so that an orchestrator sees that it is not root.
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["waypost-health"]
ENTRYPOINT ["waypost"]
CMD ["serve"]
