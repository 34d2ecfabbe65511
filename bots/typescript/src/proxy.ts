// The way through a proxy, where the environment names one: grpc_proxy, https_proxy or http_proxy, and no_proxy.
// Never to this machine: no proxy leads back to it.
import { connect, type Socket } from "node:net";
import { hostname as ownName, networkInterfaces } from "node:os";

// Opens a connection to a host by way of the proxy, or straight to it where that is wanted.
export async function tunnel(host: string, port: number): Promise<Socket> {
  const { grpc_proxy, https_proxy, http_proxy, no_grpc_proxy, no_proxy } = process.env;
  const proxy = grpc_proxy || https_proxy || http_proxy;
  const without = (no_grpc_proxy || no_proxy || "").split(",").map((each) => each.trim()).filter(Boolean);
  if (!proxy || isOwn(host) || without.some((each) => each === "*" || host.endsWith(each))) return connect({ host, port });
  const { hostname, port: at, username, password } = new URL(proxy);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(at || 80) });
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = username ? `Proxy-Authorization: Basic ${Buffer.from(login).toString("base64")}\r\n` : "";
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
  return new Promise((resolve, reject) => {
    let answer = "";
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`the proxy ${hostname} closed the connection`)));
    socket.on("readable", function read() {
      // Byte by byte: what follows the answer's head is the other side's.
      for (let byte = socket.read(1); byte !== null; byte = socket.read(1)) {
        answer += byte.toString("latin1");
        if (!answer.endsWith("\r\n\r\n") && answer.length < 16_384) continue;
        socket.off("readable", read);
        if (/^HTTP\/1\.[01] 2\d\d/.test(answer)) return resolve(socket);
        socket.destroy();
        return reject(new Error(`the proxy ${hostname} answered: ${answer.split("\r\n")[0]}`));
      }
    });
  });
}

function isOwn(host: string): boolean {
  if (host === "localhost" || host === ownName() || host === "::1" || /^127\./.test(host)) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === host));
}
