package io.asynq.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Can strand connections, which stay open but pass no more data, as when a machine in
 * between has lost its state, and can close a connection before the answer to a request
 * passes.
 */
public final class LossyProxy implements AutoCloseable {

	private static final Pattern LOST = Pattern.compile("\"lost\":(\\d+)");

	private final HttpClient http = HttpClient.newHttpClient();

	private final Toxiproxy proxy;

	private LossyProxy(Toxiproxy proxy) {
		this.proxy = proxy;
	}

	/**
	 * @param port the port of the Redis behind it
	 */
	public static LossyProxy start(int port) {
		LossyProxy proxy = new LossyProxy(Toxiproxy.start(Ports.HOST + ":" + port));
		proxy.tell("", "{\"type\": \"question\", \"name\": \"question\", \"stream\": \"upstream\"}");
		proxy.tell("", "{\"type\": \"answer\", \"name\": \"answer\", \"stream\": \"downstream\"}");
		return proxy;
	}

	public int port() {
		return this.proxy.port();
	}

	public Toxiproxy proxy() {
		return this.proxy;
	}

	/** Connections of the same driver; the caller destroys the factory. */
	public RedisConnectionFactory connectionsLike(RedisConnectionFactory factory) {
		RedisStandaloneConfiguration here = new RedisStandaloneConfiguration(Ports.HOST, port());
		if (factory instanceof LettuceConnectionFactory) {
			LettuceConnectionFactory lettuce = new LettuceConnectionFactory(here);
			lettuce.afterPropertiesSet();
			lettuce.start();
			return lettuce;
		}
		return StandaloneRedis
			.started(new JedisConnectionFactory(here, ((JedisConnectionFactory) factory).getClientConfiguration()));
	}

	/** New connections work. */
	public void strand() {
		tell("/question", "{\"attributes\": {\"strand\": true}}");
	}

	/**
	 * Connections over which a client has subscribed, or has asked for reports of
	 * changes; others, and new ones, work.
	 */
	public void strandListening() {
		tell("/question", "{\"attributes\": {\"silence\": true}}");
	}

	public void loseAnswerTo(String question) {
		loseAnswersTo(question, 1);
	}

	public void loseAnswersTo(String question, int times) {
		tell("/question", "{\"attributes\": {\"text\": \"%s\", \"times\": %d}}".formatted(question, times));
	}

	public int lost() {
		Matcher lost = LOST.matcher(send(HttpRequest.newBuilder(uri("/answer")).GET()));
		if (!lost.find()) {
			throw new IllegalStateException("Toxiproxy does not report lost answers");
		}
		return Integer.parseInt(lost.group(1));
	}

	@Override
	public void close() {
		this.proxy.close();
	}

	private void tell(String path, String what) {
		send(HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.ofString(what)));
	}

	private URI uri(String path) {
		return URI.create(this.proxy.toxics() + path);
	}

	private String send(HttpRequest.Builder request) {
		try {
			HttpResponse<String> response = this.http.send(request.build(), BodyHandlers.ofString());
			if (response.statusCode() != 200) {
				throw new IllegalStateException("Toxiproxy rejected a request: " + response.body());
			}
			return response.body();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Toxiproxy does not answer", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted during a request to Toxiproxy", ex);
		}
	}

}
