package io.asynq.interop.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.asynq.interop.peer.GoBinary;
import io.asynq.test.TestRedis;
import io.asynq.test.process.Child;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.awaitility.Awaitility.await;

/**
 * asynqmon, as its users start it. It listens on all interfaces because it has no option
 * for that.
 */
final class Asynqmon implements AutoCloseable {

	private static final String COMMAND = "github.com/hibiken/asynqmon/cmd/asynqmon";

	private final HttpClient http = HttpClient.newHttpClient();

	private final int port = TestRedis.freePort();

	private final Child process;

	Asynqmon(TestRedis redis) {
		Path executable = GoBinary.build("go-tools", "asynqmon", COMMAND);
		this.process = Child.start("asynqmon",
				List.of(executable.toString(), "--port", String.valueOf(this.port), "--redis-url",
						redis.uri().toString(), "--enable-metrics-exporter"),
				GoBinary.target().resolve("asynqmon.log"));
		await("asynqmon").ignoreExceptions().until(() -> !text("/metrics").isEmpty());
	}

	/**
	 * Returns the answer of an endpoint of the API.
	 */
	JsonNode get(String path) {
		return JsonMapper.shared().readTree(text("/api" + path));
	}

	/**
	 * Returns a page.
	 */
	String text(String path) {
		return send(HttpRequest.newBuilder(uri(path)).GET());
	}

	void post(String path) {
		send(HttpRequest.newBuilder(uri("/api" + path)).POST(BodyPublishers.noBody()));
	}

	void delete(String path) {
		send(HttpRequest.newBuilder(uri("/api" + path)).DELETE());
	}

	@Override
	public void close() {
		this.process.close();
	}

	private String send(HttpRequest.Builder request) {
		try {
			HttpResponse<String> response = this.http.send(request.timeout(Duration.ofSeconds(10)).build(),
					BodyHandlers.ofString());
			if (response.statusCode() / 100 != 2) {
				throw new IllegalStateException(response + ": " + response.body());
			}
			return response.body();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("asynqmon does not answer; see asynqmon.log", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while asynqmon was asked", ex);
		}
	}

	private URI uri(String path) {
		return URI.create("http://127.0.0.1:" + this.port + path);
	}

}
