package io.asynq.sample.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.asynq.test.process.Child;
import io.asynq.test.redis.Ports;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A real Prometheus on loopback that scrapes one application every second and evaluates
 * the shipped alert rules, made impatient.
 */
final class Prometheus implements AutoCloseable {

	/** What the rules' times and look-backs become. */
	private static final String LOOK_BACK = "30s";

	/** Thresholds that a test cannot reach, and what they become. */
	private static final Map<String, String> THRESHOLDS = Map.of("asynq_queue_snapshot_age_seconds > 120",
			"asynq_queue_snapshot_age_seconds > 5", "asynq_server_heartbeat_age_seconds > 20",
			"asynq_server_heartbeat_age_seconds > 5", "asynq_outbox_oldest_age_seconds) > 300",
			"asynq_outbox_oldest_age_seconds) > 5", "> 1e9", "> 1e5", ">= 9000", ">= 1");

	private final Child child;

	private final RestClient http;

	private Prometheus(Child child, int port) {
		this.child = child;
		this.http = RestClient.create("http://" + Ports.HOST + ":" + port);
	}

	/**
	 * Starts Prometheus and waits until it answers.
	 * @param rules the shipped rules
	 * @param scraped the port of the application, which need not run yet
	 */
	static Prometheus start(Path folder, Path rules, int scraped) {
		int port = Ports.free();
		try {
			Files.writeString(folder.resolve("rules.yml"), impatient(Files.readString(rules)));
			Path configuration = Files.writeString(folder.resolve("prometheus.yml"), """
					global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
					rule_files: [rules.yml]
					scrape_configs:
					- job_name: sample
					  metrics_path: /actuator/prometheus
					  static_configs: [{targets: ['%s:%d']}]
					""".formatted(Ports.HOST, scraped));
			List<String> command = List.of("prometheus", "--config.file=" + configuration,
					"--storage.tsdb.path=" + folder.resolve("data"), "--web.listen-address=" + Ports.HOST + ":" + port,
					"--log.level=warn");
			Prometheus prometheus = new Prometheus(start(command, folder.resolve("prometheus.log")), port);
			prometheus.awaitReady(folder.resolve("prometheus.log"));
			return prometheus;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns the names of the alerts that fire at this moment.
	 */
	Set<String> firing() {
		Set<String> names = new TreeSet<>();
		for (JsonNode alert : get("/api/v1/alerts").at("/data/alerts")) {
			if ("firing".equals(alert.path("state").asString())) {
				names.add(alert.at("/labels/alertname").asString());
			}
		}
		return names;
	}

	/**
	 * Returns how many series an expression has at this moment.
	 */
	int query(String expression) {
		return result(expression).size();
	}

	/**
	 * Returns how many series of an expression have a number at this moment.
	 */
	int numbers(String expression) {
		int numbers = 0;
		for (JsonNode series : result(expression)) {
			numbers += "NaN".equals(series.at("/value/1").asString()) ? 0 : 1;
		}
		return numbers;
	}

	/**
	 * Returns the names of all series that were scraped and begin with {@code asynq_}.
	 */
	Set<String> series() {
		Set<String> names = new TreeSet<>();
		for (JsonNode name : get("/api/v1/label/__name__/values").path("data")) {
			if (name.asString().startsWith("asynq_")) {
				names.add(name.asString());
			}
		}
		return names;
	}

	@Override
	public void close() {
		this.child.close();
	}

	private void awaitReady(Path log) {
		await("Prometheus, whose log is " + log).until(() -> {
			assertThat(this.child.isAlive()).as(() -> "Prometheus runs: " + read(log)).isTrue();
			try {
				return this.http.get().uri("/-/ready").retrieve().toBodilessEntity().getStatusCode().is2xxSuccessful();
			}
			catch (RestClientException ex) {
				return false;
			}
		});
	}

	private JsonNode result(String expression) {
		JsonNode answer = get("/api/v1/query?query={expression}", expression);
		assertThat(answer.path("status").asString()).as(expression).isEqualTo("success");
		return answer.at("/data/result");
	}

	private JsonNode get(String path, Object... values) {
		JsonNode answer = this.http.get().uri(path, values).retrieve().body(JsonNode.class);
		assertThat(answer).as(path).isNotNull();
		return answer;
	}

	private static Child start(List<String> command, Path log) {
		try {
			return Child.start("prometheus", command, log);
		}
		catch (UncheckedIOException ex) {
			throw new IllegalStateException(
					"This test needs Prometheus on the PATH: install Debian's package prometheus, as .ci/install does",
					ex);
		}
	}

	private static String impatient(String rules) {
		String shorter = rules.replaceAll("for: \\d+[mh]", "for: 1s")
			.replaceAll("\\[\\d+[mh]]", "[" + LOOK_BACK + "]")
			.replaceAll("offset \\d+[mh]", "offset " + LOOK_BACK);
		for (Map.Entry<String, String> threshold : THRESHOLDS.entrySet()) {
			assertThat(shorter).contains(threshold.getKey());
			shorter = shorter.replace(threshold.getKey(), threshold.getValue());
		}
		return shorter;
	}

	private static String read(Path log) {
		try {
			return Files.readString(log);
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

}
