package io.asynq.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.asynq.test.redis.RedisNode;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the scripts do besides looking: they ask Redis, have Go do something, and take
 * Redis away. A server on loopback, for JSON by POST.
 */
final class Stage implements AutoCloseable {

	private final JsonMapper json = JsonMapper.shared();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final RedisNode redis;

	private final GoSide go;

	private final HttpServer server;

	Stage(RedisNode redis, GoSide go) {
		this.redis = redis;
		this.go = go;
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	private void answer(HttpExchange exchange) throws IOException {
		try (exchange) {
			int status = 200;
			@Nullable Object answer;
			try {
				JsonNode request = this.json.readTree(exchange.getRequestBody().readAllBytes());
				answer = act(exchange.getRequestURI().getPath(), request);
			}
			catch (RuntimeException ex) {
				status = 500;
				answer = ex.toString();
			}
			Map<String, @Nullable Object> document = new HashMap<>();
			document.put("answer", answer);
			byte[] body = this.json.writeValueAsBytes(document);
			exchange.sendResponseHeaders(status, body.length);
			exchange.getResponseBody().write(body);
		}
	}

	private @Nullable Object act(String path, JsonNode request) {
		switch (path) {
			case "/redis" -> {
				return redis(request.valueStream().map(JsonNode::asString).toList());
			}
			case "/go" -> {
				return this.go.call(request.path("cmd").asString(),
						this.json.convertValue(request.path("args"), Map.class));
			}
			case "/redis-goes" -> this.redis.kill();
			case "/redis-comes" -> this.redis.restart();
			case "/redis-hangs" -> this.redis.pause();
			case "/redis-goes-on" -> this.redis.resume();
			default -> throw new IllegalArgumentException("Nothing is done for " + path);
		}
		return null;
	}

	private @Nullable Object redis(List<String> command) {
		try (Jedis jedis = this.redis.connect()) {
			byte[][] arguments = command.subList(1, command.size())
				.stream()
				.map((argument) -> argument.getBytes(StandardCharsets.UTF_8))
				.toArray(byte[][]::new);
			return text(jedis.sendCommand(() -> command.get(0).getBytes(StandardCharsets.UTF_8), arguments));
		}
	}

	private static @Nullable Object text(@Nullable Object reply) {
		if (reply instanceof byte[] bytes) {
			return new String(bytes, StandardCharsets.UTF_8);
		}
		return (reply instanceof List<?> list) ? list.stream().map(Stage::text).toList() : reply;
	}

}
