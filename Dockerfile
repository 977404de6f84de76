# A digest behind it (node:24-slim@sha256:...) makes the same image every time: --build-arg NODE_IMAGE=... says one.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY .ci ./.ci
COPY schemas ./schemas
COPY tools ./tools
COPY src ./src
RUN npm run build
# What is built stays; what it was built with goes.
RUN node .ci/install_production.mjs
RUN mkdir data

FROM ${NODE_IMAGE}
# The registry of MCP servers takes the image for the server of this name only.
LABEL io.modelcontextprotocol.server.name=io.github.marketplace-listing-service/marketplace-listing-service
WORKDIR /app
COPY LICENSE CHANGELOG.md ./
COPY --from=build /build/package.json /build/sbom.cdx.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY --from=build --chown=1000:1000 /build/data /data
# BASE_URL is where others reach it; -e BASE_URL=https://listings.example.com says otherwise.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 BASE_URL=http://localhost:3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
# The user "node" of the image; by number, so that an orchestrator sees that it is not root.
USER 1000:1000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/src/cli.js"]
CMD ["serve"]
