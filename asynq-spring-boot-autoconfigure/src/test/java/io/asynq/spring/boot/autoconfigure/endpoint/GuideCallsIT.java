package io.asynq.spring.boot.autoconfigure.endpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.asynq.AsynqClient;
import io.asynq.spring.boot.autoconfigure.endpoint.EndpointApplication.Answer;
import io.asynq.test.TestRedis;
import io.asynq.test.process.Repository;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.util.UriUtils;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Every call of the endpoint that the guides for operators name can be made as it is
 * written. What is written as … is the id of a task, periodic task or server, or a group.
 */
@Tag("full")
class GuideCallsIT {

	private static final Pattern CALL = Pattern.compile("`((?:GET|POST|DELETE) /[^`]*)`");

	private static final JsonMapper json = new JsonMapper();

	private static TestRedis redis;

	private static EndpointApplication application;

	private static String id;

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn();
		application = EndpointApplication.withoutSecurity(redis, "management.endpoint.asynq.access=unrestricted");
		AsynqClient client = application.bean(AsynqClient.class);
		id = client.enqueue("t", new byte[0], (options) -> options.queue("mails")).id();
		client.enqueue("t", new byte[0], (options) -> options.queue("mails").group(id));
	}

	@AfterAll
	static void stop() {
		application.close();
		redis.stop();
	}

	static Set<String> calls() throws IOException {
		Set<String> calls = new TreeSet<>();
		for (String page : Set.of("docs/operations.md", "docs/my-task-does-not-run.md", "docs/health.md")) {
			CALL.matcher(Files.readString(Repository.path(page))).results().forEach((call) -> calls.add(call.group(1)));
		}
		return calls;
	}

	@Test
	void guidesNameMostCalls() throws IOException {
		assertThat(calls()).hasSizeGreaterThan(25);
	}

	@ParameterizedTest
	@MethodSource("calls")
	void canBeMadeAsWritten(String call) {
		Matcher parts = Pattern.compile("(\\w+) (/\\S*)(?: (\\{.*}))?").matcher(call);
		assertThat(parts.matches()).isTrue();
		String known = known(call);
		String path = "/actuator/asynq" + encoded(parts.group(2).replace("…", known));
		if (parts.group(1).equals("GET")) {
			Answer answer = application.get(path);
			assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
			return;
		}
		Answer answer = application.post(path, body(parts.group(3).replace("…", known)));
		// The task may be in another state than the guide speaks of
		assertThat(answer.status()).as(answer.body().toString()).isIn(200, 409);
	}

	private static String known(String call) {
		if (call.contains("/server/")) {
			// It is listed with its first heartbeat
			return await().until(
					() -> application.get("/actuator/asynq/servers").body().path(0).path("id").asString(""),
					(server) -> !server.isEmpty());
		}
		return (call.contains("/scheduler-events") || call.contains("/run-periodic")) ? "nightly" : id;
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> body(String text) {
		return json.readValue(text, Map.class);
	}

	private static String encoded(String path) {
		int query = path.indexOf('?');
		return (query < 0) ? path
				: path.substring(0, query) + "?"
						+ Stream.of(path.substring(query + 1).split("&"))
							.map((parameter) -> UriUtils.encodeQuery(parameter, StandardCharsets.UTF_8))
							.collect(Collectors.joining("&"));
	}

}
