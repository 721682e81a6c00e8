package io.asynq.spring.boot.autoconfigure.endpoint;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.AsynqClient;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerState;
import io.asynq.spring.boot.autoconfigure.endpoint.EndpointApplication.Answer;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint over HTTP, without Spring Security on the class path.
 */
class AsynqEndpointIT {

	private static TestRedis redis;

	private static EndpointApplication application;

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn();
		application = EndpointApplication.withoutSecurity(redis, "management.endpoint.asynq.access=unrestricted");
	}

	@AfterAll
	static void stop() {
		application.close();
		redis.stop();
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain", "application/x-www-form-urlencoded", "multipart/form-data;boundary=x", "" })
	void pageOfAnotherSiteCannotWrite(String contentType) {
		enqueue("pages", "payload");
		for (String path : List.of("/pause", "/server/quiet")) {
			assertThat(application.postFromElsewhere("/actuator/asynq" + path, contentType, "{\"queue\":\"pages\"}"))
				.as(path)
				.isEqualTo(415);
		}
		assertThat(get("/queues?queue=pages").body().path("paused").asBoolean()).isFalse();
	}

	@Test
	void showsEverythingOfQueue() {
		String id = enqueue("show", "payload");
		for (String path : List.of("", "/queues", "/queues?queue=show", "/history?queue=show&days=3",
				"/tasks?queue=show&state=pending", "/task?queue=show&id=" + id, "/groups?queue=show", "/servers",
				"/server", "/limits", "/limit-keys?id=pdf", "/schedulers", "/scheduler", "/diagnosis?queue=show",
				"/attention")) {
			Answer answer = get(path);
			assertThat(answer.status()).as(path + ": " + answer.body()).isEqualTo(200);
			assertThat(answer.body().toString()).as(path).doesNotContain("payload of");
		}
		assertThat(get("").body().path("queueCount").asInt()).isPositive();
		assertThat(get("/queues?queue=show").body().path("sizes").path("pending").asInt()).isOne();
		assertThat(get("/history?queue=show&days=3").body()).hasSize(3);
		assertThat(get("/tasks?queue=show&state=pending").body().path("entries").path(0).path("id").asString())
			.isEqualTo(id);
		assertThat(get("/server").body().path("state").asString()).isEqualTo("active");
		assertThat(get("/scheduler").body().path("entries").asInt()).isEqualTo(1);
		assertThat(get("/scheduler").body().path("loops").findValuesAsString("name")).contains("asynq-scheduler");
	}

	@Test
	void showsLimitsAndWhatWaitsForThem() {
		new LimitSeeds(application.bean(RedisBroker.class)).concurrent("pdf", 1)
			.concurrent("tenant", 2)
			.hold("limited", "a", "pdf", "tenant:acme")
			.park("limited", "b", "pdf", "tenant:acme");
		JsonNode limits = get("/limits").body();
		assertThat(limits.findValuesAsString("name")).containsExactly("pdf", "tenant");
		assertThat(limits.path(0).path("concurrent").asInt()).isOne();
		assertThat(limits.path(0).path("held").asInt()).isOne();
		assertThat(limits.path(0).path("waiting").asInt()).isOne();
		JsonNode keys = get("/limit-keys?id=tenant&size=10").body();
		assertThat(keys).hasSize(1);
		assertThat(keys.path(0).path("key").asString()).isEqualTo("acme");
		assertThat(keys.path(0).path("waiting").asInt()).isOne();
		assertThat(get("/task?queue=limited&id=b").body().path("waitsFor").valueStream().map(JsonNode::asString))
			.containsExactly("pdf", "tenant:acme");
		assertThat(get("/diagnosis?queue=limited").body().path("limited").asInt()).isOne();
		assertThat(get("/limit-keys?id=tenant&size=201").status()).isEqualTo(400);
		assertThat(get("/limit-keys").status()).isEqualTo(400);
	}

	@Test
	void hidesPayload() {
		String id = enqueue("hidden", "secret");
		JsonNode task = get("/task?queue=hidden&id=" + id).body();
		assertThat(task.path("type").asString()).isEqualTo("t");
		assertThat(task.path("payload").isNull() || task.path("payload").isMissingNode()).isTrue();
	}

	@Test
	void goesOnWhereListEnded() {
		for (int i = 0; i < 3; i++) {
			enqueue("long", "p");
		}
		JsonNode first = get("/tasks?queue=long&state=pending&size=2").body();
		assertThat(first.path("entries")).hasSize(2);
		JsonNode second = get("/tasks?queue=long&state=pending&cursor=" + first.path("next").asString()).body();
		assertThat(second.path("entries")).hasSize(1);
		assertThat(second.path("next").isNull() || second.path("next").isMissingNode()).isTrue();
	}

	@Test
	void takesIdsWithAnyCharacter() {
		String id = "a/b#c%d?e,f&g \"h\" 😀";
		Answer enqueued = post("enqueue", Map.of("type", "t", "queue", "odd", "payload", "p"));
		assertThat(enqueued.status()).isEqualTo(200);
		application.bean(AsynqClient.class).enqueue("t", "p".getBytes(), (o) -> o.queue("odd").taskId(id));
		assertThat(
				get("/task?queue=odd&id=" + URLEncoder.encode(id, StandardCharsets.UTF_8)).body().path("id").asString())
			.isEqualTo(id);
		assertThat(post("archive", Map.of("queue", "odd", "id", id)).body().path("done").asInt()).isOne();
		assertThat(post("delete", Map.of("queue", "odd", "id", id)).status()).isEqualTo(200);
	}

	@Test
	void enqueuesChangesAndDeletesTasks() {
		JsonNode task = post("enqueue",
				Map.of("type", "t", "queue", "acts", "payload", "1", "options", "processIn=1h, maxRetry=3"))
			.body();
		assertThat(task.path("state").asString()).isEqualTo("scheduled");
		assertThat(task.path("maxRetry").asInt()).isEqualTo(3);
		String id = task.path("id").asString();
		assertThat(post("payload", Map.of("queue", "acts", "id", id, "payload", "Mg==", "encoding", "base64")).status())
			.isEqualTo(200);
		assertThat(application.bean(AsynqInspector.class).taskInfo("acts", id).payload()).isEqualTo("2".getBytes());
		assertThat(post("archive", Map.of("queue", "acts", "ids", id + ",none")).body().toString())
			.contains("\"done\":1", "none");
		assertThat(post("run", Map.of("queue", "acts", "state", "archived", "expectedCount", "1")).body()
			.path("done")
			.asInt()).isOne();
		assertThat(delete("queue=acts").status()).as("not empty").isEqualTo(409);
		assertThat(delete("queue=acts&force=true&expectedCount=1").status()).isEqualTo(200);
		assertThat(get("/queues?queue=acts").status()).isEqualTo(404);
	}

	@Test
	void showsTasksThatMeetConditions() {
		post("archive", Map.of("queue", "some", "id", enqueue("some", "p")));
		for (int i = 0; i < 3; i++) {
			seedArchived("some", "failed" + i, "smtp: timeout", Duration.ofHours(2));
		}
		String tasks = "/tasks?queue=some&state=archived";
		String met = tasks + "&type=mail&error=timeout&failedBefore=1h&failedWithin=3h&size=2";
		JsonNode first = get(met).body();
		assertThat(first.path("entries")).hasSize(2);
		assertThat(first.path("total").asInt()).isEqualTo(4);
		assertThat(first.toString()).doesNotContain("payload of");
		JsonNode second = get(met + "&cursor=" + first.path("next").asString()).body();
		assertThat(List.of(first, second)).flatExtracting((part) -> part.path("entries").findValuesAsString("id"))
			.containsExactlyInAnyOrder("failed0", "failed1", "failed2");
		for (String unmet : List.of("&type=mai", "&error=Timeout", "&failedBefore=3h", "&failedWithin=1h")) {
			assertThat(get(tasks + "&failedWithin=10h" + unmet).body().path("entries")).as(unmet).isEmpty();
		}
		assertThat(get(tasks + "&failedBefore=long").status()).isEqualTo(400);
		assertThat(get(met + "&cursor=1.30").status()).isEqualTo(400);
	}

	@Test
	void runsArchivedTasksThatMeetConditionsWithFreshRetries() {
		post("archive", Map.of("queue", "again", "id", enqueue("again", "p")));
		seedArchived("again", "failed", "smtp: timeout", Duration.ofHours(2));
		Map<String, String> call = new HashMap<>(Map.of("queue", "again", "state", "archived", "freshRetries", "true",
				"expectedCount", "2", "type", "mail", "error", "timeout", "failedBefore", "1h", "failedWithin", "3h"));
		for (Map.Entry<String, String> unmet : Map
			.of("type", "t", "error", "Timeout", "failedBefore", "3h", "failedWithin", "1h")
			.entrySet()) {
			Map<String, String> other = new HashMap<>(call);
			other.put(unmet.getKey(), unmet.getValue());
			assertThat(post("run", other).body().path("done").asInt()).as(unmet.toString()).isZero();
		}
		application.audit().clear();
		JsonNode report = post("run", call).body();
		assertThat(report.path("done").asInt()).as(report.toString()).isOne();
		assertThat(report.path("next").isNull() || report.path("next").isMissingNode()).isTrue();
		assertThat(application.audit().get(0).getData()).containsEntry("error", "timeout")
			.containsEntry("freshRetries", "true");
		TaskInfo run = application.bean(AsynqInspector.class).taskInfo("again", "failed");
		assertThat(run.state()).isEqualTo(TaskState.PENDING);
		assertThat(run.retried()).isZero();
		assertThat(run.lastError()).isEqualTo("smtp: timeout");
	}

	@ParameterizedTest
	@CsvSource({ "id, true, 0", "id, false, 25", "ids, true, 0", "ids, false, 25" })
	void namedTasksRunWithFreshRetriesIfAsked(String parameter, String fresh, int retried) {
		String id = "failed by " + parameter + " " + fresh;
		enqueue("named", "p");
		seedArchived("named", id, "boom", Duration.ZERO);
		assertThat(
				post("run", Map.of("queue", "named", parameter, id, "freshRetries", fresh)).body().path("done").asInt())
			.isOne();
		TaskInfo run = application.bean(AsynqInspector.class).taskInfo("named", id);
		assertThat(run.state()).isEqualTo(TaskState.PENDING);
		assertThat(run.retried()).isEqualTo(retried);
	}

	@Test
	void cancelsTasksForGood() {
		String archived = enqueue("cancels", "1");
		assertThat(post("cancel", Map.of("queue", "cancels", "id", archived, "mode", "archive")).status())
			.isEqualTo(200);
		AsynqInspector inspector = application.bean(AsynqInspector.class);
		assertThat(inspector.taskInfo("cancels", archived).state()).isEqualTo(TaskState.ARCHIVED);
		assertProblem(post("cancel", Map.of("queue", "cancels", "id", archived, "mode", "delete")), 409,
				"it has ended");
		enqueue("cancels", "2");
		assertThat(
				post("cancel", Map.of("queue", "cancels", "state", "pending", "expectedCount", "1", "mode", "delete"))
					.body()
					.path("done")
					.asInt())
			.isOne();
		assertThat(inspector.queueInfo("cancels").size()).isOne();
		String running = enqueue("cancels", "3");
		application.command("DEL", "asynq:{cancels}:pending");
		application.command("HSET", "asynq:{cancels}:t:" + running, "state", "active");
		assertProblem(post("cancel", Map.of("queue", "cancels", "id", running, "mode", "delete")), 409,
				"no live Java server");
	}

	@Test
	void pausesQueueAndQuietsServer() {
		enqueue("paused", "p");
		assertThat(post("pause", Map.of("queue", "paused")).body().path("changed").asBoolean()).isTrue();
		assertThat(post("pause", Map.of("queue", "paused")).body().path("changed").asBoolean()).isFalse();
		assertThat(post("resume", Map.of("queue", "paused")).body().path("changed").asBoolean()).isTrue();
		AsynqServer server = application.bean(AsynqServer.class);
		assertThat(post("server/quiet", Map.of()).status()).isEqualTo(200);
		assertThat(server.state()).isEqualTo(ServerState.STOPPED);
		assertThat(post("server/resume", Map.of()).status()).isEqualTo(200);
		assertThat(server.state()).isEqualTo(ServerState.ACTIVE);
		assertProblem(post("server/quiet", Map.of("id", "nobody")), 404, "nobody");
	}

	@Test
	void asksAServerByItsId() {
		AsynqServer server = application.bean(AsynqServer.class);
		String id = get("/servers").body().path(0).path("id").asString();
		Answer answer = post("server/resume", Map.of("id", id));
		assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
		assertThat(answer.body().path("server").asString()).isEqualTo(id);
		assertThat(server.state()).isEqualTo(ServerState.ACTIVE);
	}

	@Test
	void runsPeriodicTaskNow() {
		Answer answer = post("run-periodic", Map.of("id", "nightly"));
		assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
		assertThat(answer.body().path("type").asString()).isEqualTo("report");
		assertThat(get("/scheduler-events?id=nightly").body().path("entries").path(0).path("taskId").asString())
			.isEqualTo(answer.body().path("id").asString());
	}

	@Test
	void repairsOnlyIfTold() {
		enqueue("sick", "p");
		AsynqInspector inspector = application.bean(AsynqInspector.class);
		application.command("SREM", "asynq:queues", "sick");
		assertThat(post("repair", Map.of("queue", "sick")).body().path("dryRun").asBoolean()).isTrue();
		assertThat(inspector.queues()).doesNotContain("sick");
		assertThat(post("repair", Map.of("queue", "sick", "kinds", "queue-not-listed", "apply", "true")).status())
			.isEqualTo(200);
		assertThat(inspector.queues()).contains("sick");
	}

	@Test
	void diagnosisAndDryRunGoOnWhereTheyEnded() {
		enqueue("walked", "p");
		for (int i = 0; i < 3; i++) {
			application.command("LPUSH", "asynq:{walked}:pending", "ghost" + i);
		}
		long found = 0;
		int parts = 0;
		String cursor = "";
		do {
			assertThat(parts++).as("a walk that ends").isLessThan(50);
			JsonNode part = get("/diagnosis?queue=walked&limit=1&cursor=" + cursor).body();
			found += part.path("counts").path("ID_WITHOUT_TASK").asInt(0);
			JsonNode dryRun = post("repair", Map.of("queue", "walked", "limit", "1", "cursor", cursor)).body();
			assertThat(dryRun.path("repaired")).as("the same part").isEqualTo(part.path("counts"));
			cursor = part.path("next").asString("");
			assertThat(dryRun.path("next").asString("")).isEqualTo(cursor);
		}
		while (!cursor.isEmpty());
		assertThat(found).isEqualTo(3);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			/none                                      ; 404 ; none
			/queues?queue=none                         ; 404 ; none
			/history?queue=none                        ; 404 ; none
			/groups?queue=none                         ; 404 ; none
			/diagnosis?queue=none                      ; 404 ; none
			/tasks?queue=none&state=pending            ; 404 ; none
			/task?queue=errors&id=none                 ; 404 ; none
			/scheduler-events?id=none                  ; 404 ; none
			/tasks?queue=errors&state=none             ; 400 ; state
			/tasks?queue=errors                        ; 400 ; state
			/tasks?state=pending                       ; 400 ; queue
			/tasks?queue=errors&state=aggregating      ; 400 ; group
			/tasks?queue=errors&state=pending&size=x   ; 400 ; size
			/tasks?queue=errors&state=pending&size=9999; 400 ; size
			/tasks?queue=errors&state=pending&cursor=x ; 400 ; cursor
			/groups?queue=errors&cursor=x              ; 400 ; cursor
			/groups?queue=errors&size=9999             ; 400 ; size
			/diagnosis?queue=errors&cursor=x           ; 400 ; cursor
			/diagnosis?queue=errors&limit=0            ; 400 ; limit
			/diagnosis?queue=errors&limit=1000001      ; 400 ; limit
			/history?queue=errors&days=0               ; 400 ; days
			/history?queue=errors&days=99999999999     ; 400 ; days
			/task?queue=errors                         ; 400 ; id
			/cluster?queue=errors                      ; 400 ; no cluster
			""")
	void answersReadsThatMakeNoSenseWithProblem(String path, int status, String named) {
		enqueue("errors", "p");
		assertProblem(get(path), status, named);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			none         ;                                                       ; 404 ; none
			pause        ; queue=none                                            ; 404 ; none
			pause        ;                                                       ; 400 ; queue
			run          ; queue=errors                                          ; 400 ; state
			run          ; queue=errors&id=none                                  ; 404 ; none
			run          ; queue=none&ids=none                                   ; 404 ; none
			run          ; queue=errors&state=pending&expectedCount=9            ; 400 ; state
			run          ; queue=errors&id=none&freshRetries=perhaps             ; 400 ; freshRetries
			run          ; queue=errors&id=none&type=t                           ; 400 ; type
			run          ; queue=errors&ids=none&failedWithin=1h                 ; 400 ; failedWithin
			run          ; queue=errors&state=archived&failedBefore=long         ; 400 ; failedBefore
			run          ; queue=errors&state=archived&failedWithin=-1h          ; 400 ; failedWithin
			run          ; queue=errors&state=archived&type=t                    ; 400 ; expectedCount
			run          ; queue=errors&state=archived&type=t&cursor=x           ; 400 ; cursor
			run          ; queue=errors&state=pending&type=t&expectedCount=9     ; 400 ; state
			archive      ; queue=errors&state=pending                            ; 400 ; expectedCount
			archive      ; queue=errors&state=pending&expectedCount=x            ; 400 ; expectedCount
			archive      ; queue=errors&state=pending&expectedCount=0            ; 409 ; expectedCount
			cancel       ; queue=errors&id=none                                  ; 404 ; none
			cancel       ; queue=errors&id=none&mode=delete                      ; 404 ; none
			cancel       ; queue=errors&id=none&mode=stop                        ; 400 ; mode
			payload      ; queue=errors&id=none                                  ; 400 ; payload
			payload      ; queue=errors&id=none&payload=x                        ; 404 ; none
			payload      ; queue=errors&id=none&payload=%&encoding=base64        ; 400 ; Base64
			enqueue      ; queue=errors                                          ; 400 ; type
			enqueue      ; type=t&options=none=1                                 ; 400 ; none
			enqueue      ; type=t&options=timeout=long                           ; 400 ; timeout
			enqueue      ; type=t&options=maxRetry=many                          ; 400 ; maxRetry
			run-periodic ; id=none                                               ; 404 ; none
			repair       ; queue=none                                            ; 404 ; none
			repair       ; queue=errors&kinds=none                               ; 400 ; kinds
			repair       ; queue=errors&apply=perhaps                            ; 400 ; apply
			repair       ; queue=errors&cursor=x                                 ; 400 ; cursor
			repair       ; queue=errors&limit=0                                  ; 400 ; limit
			""")
	void answersWritesThatMakeNoSenseWithProblem(String path, String parameters, int status, String named) {
		enqueue("errors", "p");
		assertProblem(post(path, EndpointApplication.body(parameters)), status, named);
	}

	@Test
	void whatRedisRefusesIsLoggedWithoutStack() {
		StringRedisTemplate keys = application.bean(StringRedisTemplate.class);
		Logger logger = (Logger) LoggerFactory.getLogger(AsynqEndpoint.class);
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		keys.opsForValue().set("asynq:{refused}:pending", "no list");
		logger.addAppender(log);
		try {
			assertProblem(post("enqueue", Map.of("type", "t", "queue", "refused")), 500, "wrong type");
			assertThat(log.list).filteredOn((event) -> event.getLevel() == Level.WARN)
				.singleElement()
				.satisfies((line) -> {
					assertThat(line.getFormattedMessage()).contains("refused", "wrong type");
					assertThat(line.getThrowableProxy()).isNull();
				});
		}
		finally {
			logger.detachAppender(log);
			keys.delete("asynq:{refused}:pending");
		}
	}

	@Test
	void eachWriteIsAudited() {
		enqueue("audited", "p");
		application.audit().clear();
		post("pause", Map.of("queue", "audited"));
		post("delete", Map.of("queue", "audited", "state", "pending", "expectedCount", "1"));
		post("run", Map.of("queue", "audited", "id", "none"));
		get("/queues");
		assertThat(application.audit()).extracting(AuditEvent::getType)
			.containsExactly("ASYNQ_PAUSE", "ASYNQ_DELETE", "ASYNQ_RUN");
		assertThat(application.audit()).extracting(AuditEvent::getPrincipal).containsOnly("anonymous");
		assertThat(application.audit().get(1).getData()).containsEntry("queue", "audited")
			.containsEntry("state", "pending")
			.containsEntry("count", 1L);
		assertThat(application.audit().get(2).getData()).containsEntry("id", "none")
			.containsEntry("count", 0L)
			.containsEntry("status", 404);
	}

	@Test
	void auditNamesTaskThatWasEnqueued() {
		application.audit().clear();
		String id = post("enqueue", Map.of("type", "t", "payload", "secret")).body().path("id").asString();
		String periodic = post("run-periodic", Map.of("id", "nightly")).body().path("id").asString();
		assertThat(application.audit().get(0).getData()).containsEntry("taskId", id)
			.containsEntry("queue", "default")
			.containsEntry("type", "t")
			.doesNotContainValue("secret");
		assertThat(application.audit().get(1).getData()).containsEntry("taskId", periodic)
			.containsEntry("queue", "reports")
			.containsEntry("id", "nightly");
	}

	@Test
	void infoTellsQueuesOfServer() {
		JsonNode info = application.get("/actuator/info").body().path("asynq");
		assertThat(info.path("server").asString()).isEqualTo("active");
		assertThat(info.path("queues").path("served").asInt()).isEqualTo(2);
	}

	private static void assertProblem(Answer answer, int status, String named) {
		assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
		assertThat(answer.contentType()).isEqualTo("application/problem+json");
		assertThat(answer.body().path("status").asInt()).isEqualTo(status);
		assertThat(answer.body().path("detail").asString()).contains(named);
		assertThat(answer.body().toString()).doesNotContain("io.asynq", "trace", "Exception");
	}

	private static String enqueue(String queue, String payload) {
		return application.bean(AsynqClient.class)
			.enqueue("t", payload.getBytes(), (options) -> options.queue(queue))
			.id();
	}

	/** Seeds a task of type {@code mail} that has used up its retries. */
	private static void seedArchived(String queue, String id, String error, Duration ago) {
		Instant failed = Instant.now().minus(ago);
		new RedisState(application.bean(RedisConnectionFactory.class)).seedArchived(failed,
				TaskMessage.builder("mail", id, queue)
					.maxRetry(25)
					.retried(25)
					.errorMessage(error)
					.lastFailedAtSeconds(failed.getEpochSecond())
					.build());
	}

	private static Answer get(String path) {
		return application.get("/actuator/asynq" + path);
	}

	private static Answer post(String path, Map<String, String> body) {
		return application.post("/actuator/asynq/" + path, body);
	}

	private static Answer delete(String query) {
		return application.delete("/actuator/asynq/queues?" + query);
	}

}
