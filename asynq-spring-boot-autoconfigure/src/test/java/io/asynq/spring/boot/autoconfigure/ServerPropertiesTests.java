package io.asynq.spring.boot.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.CancelMode;
import io.asynq.group.GroupLimits;
import io.asynq.server.FailureLogging;
import io.asynq.server.QueueSpec;
import io.asynq.server.QueueWeights;
import io.asynq.server.ServerOptions;
import io.asynq.server.UnknownTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class ServerPropertiesTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@Test
	void hasDefaultsOfServer() {
		this.runner.run((context) -> assertThat(context.getBean(ServerOptions.class)).usingRecursiveComparison()
			.isEqualTo(ServerOptions.builder().build()));
	}

	@Test
	void rejectsFetchingAheadWithStrictPriority() {
		assertThat(failure("asynq.server.strict-priority=true", "asynq.server.fetch-ahead=true").getDescription())
			.contains("'asynq.server.fetch-ahead'", "'asynq.server.strict-priority' is true as well");
	}

	@Test
	void propertiesReachEveryOption() {
		this.runner
			.withPropertyValues("asynq.server.concurrency=7", "asynq.server.queues.critical=6",
					"asynq.server.queues.low=1", "asynq.server.strict-priority=true",
					"asynq.server.task-check-interval=2s", "asynq.server.delayed-task-check-interval=3s",
					"asynq.server.shutdown-timeout=4s", "asynq.server.heartbeat-interval=6s",
					"asynq.server.recover-interval=7s", "asynq.server.recover-grace=8s", "asynq.server.max-crashes=9",
					"asynq.server.janitor-interval=9s", "asynq.server.janitor-batch-size=11",
					"asynq.server.health-check-interval=12s", "asynq.server.stuck-handler-timeout=13s",
					"asynq.server.log-failures=last", "asynq.server.unknown-types=archive",
					"asynq.server.cancel=archive", "asynq.server.unknown-types-max-age=20s",
					"asynq.server.wake-up=false", "asynq.server.handle-tstp=false", "asynq.server.fetch-ahead=false",
					"asynq.server.group-grace-period=14s", "asynq.server.group-max-delay=15s",
					"asynq.server.group-max-size=16", "asynq.server.queues.mail.weight=2",
					"asynq.server.queues.mail.group-grace-period=17s", "asynq.server.queues.mail.group-max-delay=18s",
					"asynq.server.queues.mail.group-max-size=19")
			.run((context) -> assertThat(context.getBean(ServerOptions.class)).usingRecursiveComparison()
				.isEqualTo(
						ServerOptions.builder()
							.concurrency(7)
							.queue("critical", 6)
							.queue("low", 1)
							.queue("mail", QueueSpec.ofWeight(2)
								.withGroupLimits(new GroupLimits(Duration.ofSeconds(17), Duration.ofSeconds(18), 19)))
							.strictPriority(true)
							.taskCheckInterval(Duration.ofSeconds(2))
							.delayedTaskCheckInterval(Duration.ofSeconds(3))
							.shutdownTimeout(Duration.ofSeconds(4))
							.heartbeatInterval(Duration.ofSeconds(6))
							.recoverInterval(Duration.ofSeconds(7))
							.recoverGrace(Duration.ofSeconds(8))
							.maxCrashes(9)
							.janitorInterval(Duration.ofSeconds(9))
							.janitorBatchSize(11)
							.healthCheckInterval(Duration.ofSeconds(12))
							.stuckHandlerTimeout(Duration.ofSeconds(13))
							.logFailures(FailureLogging.LAST)
							.unknownTypes(UnknownTypes.ARCHIVE)
							.unknownTypesMaxAge(Duration.ofSeconds(20))
							.cancelMode(CancelMode.ARCHIVE)
							.groupLimits(new GroupLimits(Duration.ofSeconds(14), Duration.ofSeconds(15), 16))
							.wakeUp(false)
							.handleTstp(false)
							.fetchAhead(false)
							.build()));
	}

	@Test
	void readsQueuesFromList() {
		this.runner
			.withInitializer(AsynqContexts.properties("asynq.server.queues[0].name=User:42",
					"asynq.server.queues[0].weight=3", "asynq.server.queues[1].name=low"))
			.run((context) -> assertThat(context.getBean(ServerOptions.class).queues())
				.isEqualTo(new QueueWeights(Map.of("User:42", 3, "low", 1), false)));
	}

	@Test
	void readsQueuesFromMapInYaml() {
		yaml("""
				asynq:
				  server:
				    queues:
				      critical: 6
				      "[User:42]": 3
				      mail:
				        weight: 2
				      sendMail:
				        group-max-size: 5
				      default: 1
				""").run((context) -> assertThat(context.getBean(ServerOptions.class).queues().weights())
			.isEqualTo(Map.of("critical", 6, "User:42", 3, "mail", 2, "sendMail", 1, "default", 1)));
	}

	@Test
	void warnsOfAQueueWithGroupSettingsButNoWeight(CapturedOutput output) {
		this.runner
			.withPropertyValues("asynq.server.queues.critical=6", "asynq.server.queues.criticl.group-max-size=5",
					"asynq.server.queues.default.group-max-size=5")
			.run((context) -> assertThat(output)
				.contains("Queue criticl has group settings, but no weight",
						"Set 'asynq.server.queues.criticl.weight' if that is meant")
				.doesNotContain("Queue critical ")
				.doesNotContain("Queue default "));
	}

	@Test
	void readsQueuesFromEnvironment() {
		environment(Map.of("ASYNQ_SERVER_QUEUES_CRITICAL", "6", "ASYNQ_SERVER_QUEUES_MAIL_GROUPMAXSIZE", "5"))
			.run((context) -> {
				ServerOptions options = context.getBean(ServerOptions.class);
				assertThat(options.queues().weights()).isEqualTo(Map.of("critical", 6, "mail", 1));
				assertThat(options.groupLimits("mail").maxSize()).isEqualTo(5);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "many", "1.5", "6000000000" })
	void rejectsFractionalWeight(String weight) {
		assertThat(failure("asynq.server.queues.low=" + weight).getDescription()).contains("asynq.server.queues.low",
				weight);
		assertThat(failure("asynq.server.queues.low.weight=" + weight).getDescription())
			.contains("asynq.server.queues.low.weight", weight);
	}

	@Test
	void groupLimitsOfCustomizerApplyToQueuesWithoutTheirOwn() {
		this.runner.withPropertyValues("asynq.server.queues.mail.group-max-size=5", "asynq.server.queues.low.weight=2")
			.withBean(AsynqServerCustomizer.class,
					() -> (options) -> options.groupLimits(GroupLimits.defaults().withMaxSize(7)))
			.run((context) -> {
				ServerOptions options = context.getBean(ServerOptions.class);
				assertThat(options.groupLimits("mail").maxSize()).isEqualTo(5);
				assertThat(options.groupLimits("low").maxSize()).isEqualTo(7);
			});
	}

	@Test
	void readsGroupLimitsPerQueueFromYaml() {
		yaml("""
				asynq:
				  server:
				    group-grace-period: 10s
				    queues:
				      default: 1
				      mail:
				        group-max-size: 100
				      "[User:42]":
				        group-grace-period: 2m
				""").run((context) -> {
			ServerOptions options = context.getBean(ServerOptions.class);
			assertThat(options.groupLimits("default"))
				.isEqualTo(new GroupLimits(Duration.ofSeconds(10), Duration.ZERO, 0));
			assertThat(options.groupLimits("mail"))
				.isEqualTo(new GroupLimits(Duration.ofSeconds(10), Duration.ZERO, 100));
			assertThat(options.groupLimits("User:42"))
				.isEqualTo(new GroupLimits(Duration.ofMinutes(2), Duration.ZERO, 0));
		});
	}

	@Test
	void readsQueuesFromListInYaml() {
		yaml("""
				asynq:
				  server:
				    queues:
				      - name: User:42
				        weight: 3
				        group-max-size: 100
				      - name: default
				""").run((context) -> {
			ServerOptions options = context.getBean(ServerOptions.class);
			assertThat(options.queues().weights()).isEqualTo(Map.of("User:42", 3, "default", 1));
			assertThat(options.groupLimits("User:42").maxSize()).isEqualTo(100);
		});
	}

	@Test
	void keepsQueueNameInBrackets() {
		this.runner.withInitializer(AsynqContexts.properties("asynq.server.queues.[User:42]=1"))
			.run((context) -> assertThat(context.getBean(ServerOptions.class).queues().weights())
				.containsOnlyKeys("User:42"));
	}

	@ParameterizedTest
	@CsvSource({ "asynq.server.concurrency, 0", "asynq.server.concurrency, -1", "asynq.server.queues.low, -1",
			"asynq.server.queues.low, 0", "asynq.server.task-check-interval, 0s", "asynq.server.shutdown-timeout, -1s",
			"asynq.server.delayed-task-check-interval, -1s", "asynq.server.heartbeat-interval, 0s",
			"asynq.server.recover-interval, 0s", "asynq.server.recover-grace, -1s", "asynq.server.max-crashes, -1",
			"asynq.server.janitor-interval, 0s", "asynq.server.janitor-batch-size, 0",
			"asynq.server.health-check-interval, 0s", "asynq.server.stuck-handler-timeout, 0s",
			"asynq.server.unknown-types-max-age, 0s", "asynq.server.lease-duration, 0s",
			"asynq.server.group-grace-period, 999ms", "asynq.server.group-grace-period, -1m",
			"asynq.server.group-max-delay, -1s", "asynq.server.group-max-delay, 500ms",
			"asynq.server.group-max-size, -1", "asynq.server.queues.low.group-grace-period, 0s",
			"asynq.server.queues.low.group-max-delay, 1ms", "asynq.server.queues.low.group-max-size, -5",
			"asynq.server.shutdown-timeout, 40000d", "asynq.server.lease-duration, 40000d",
			"asynq.server.queues.low.group-max-delay, 40000d" })
	void failureNamesInvalidProperty(String property, String value) {
		FailureAnalysis analysis = failure(property + "=" + value);
		assertThat(analysis.getDescription()).contains("'" + property + "'");
		assertThat(analysis.getAction()).isNotBlank();
	}

	@Test
	void rejectsBlankQueueInMap() {
		assertThat(failure("asynq.server.queues.[ ]=1").getDescription()).contains("asynq.server.queues",
				"must not be blank");
	}

	@Test
	void rejectsBlankQueueInList() {
		assertThat(failure("asynq.server.queues[0].name= ", "asynq.server.queues[0].weight=1").getDescription())
			.contains("asynq.server.queues[0].name", "must not be blank");
	}

	@Test
	void rejectsQueueWithoutNameInList() {
		assertThat(failure("asynq.server.queues[0].name=low", "asynq.server.queues[1].weight=2").getDescription())
			.contains("asynq.server.queues[1].name", "must not be blank");
	}

	@ParameterizedTest
	@ValueSource(strings = { "asynq.server.queues[0].weight=2", "asynq.server.queues[0]=2" })
	void rejectsListWithoutNames(String property) {
		assertThat(failure(property).getDescription()).contains("asynq.server.queues[0].name", "must not be blank",
				"each element of a list needs one");
	}

	@Test
	void rejectsInvalidLimitsInList() {
		assertThat(
				failure("asynq.server.queues[0].name=low", "asynq.server.queues[0].group-max-size=-1").getDescription())
			.contains("asynq.server.queues[0].group-max-size");
	}

	@Test
	void rejectsNegativeWeightInList() {
		assertThat(failure("asynq.server.queues[0].name=low", "asynq.server.queues[0].weight=-1").getDescription())
			.contains("asynq.server.queues[0].weight", "-1", "at least 1");
	}

	@Test
	void rejectsDuplicateQueue() {
		assertThat(failure("asynq.server.queues[0].name=low", "asynq.server.queues[1].name=low").getDescription())
			.contains("asynq.server.queues[1].name", "listed twice");
	}

	@Test
	void rejectsListBesideMap() {
		assertThat(failure("asynq.server.queues[0].name=low", "asynq.server.queues.high=2").getDescription())
			.contains("asynq.server.queues.high", "not both");
		assertThat(failure("asynq.server.queues[0].name=low", "asynq.server.queues.high.weight=2").getDescription())
			.contains("asynq.server.queues.high", "not both");
	}

	@ParameterizedTest
	@CsvSource({ "3s, 5s, 15s", "2500ms, 2s, 6s", "900ms, 100ms, 3s", "2s, 500ms, 3s", "6s, 2001ms, 7s",
			"6500ms, 1s, 3s", "30s, 11s, 33s" })
	void rejectsLeaseTooShortForHeartbeatsAndNamesMinimum(String lease, String heartbeat, String shortest) {
		assertThat(failure("asynq.server.lease-duration=" + lease, "asynq.server.heartbeat-interval=" + heartbeat)
			.getDescription()).contains("'asynq.server.lease-duration'",
					"heartbeat-interval is " + DurationStyle.detectAndParse(heartbeat), "whole seconds",
					"set lease-duration to " + shortest + " or more");
	}

	@ParameterizedTest
	@CsvSource({ "3s, 1s", "3s, 10ms", "6s, 2s", "15s, 5s" })
	void acceptsLeaseOfThreeHeartbeats(String lease, String heartbeat) {
		this.runner
			.withPropertyValues("asynq.server.lease-duration=" + lease, "asynq.server.heartbeat-interval=" + heartbeat)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void rejectsLeaseTooShortForHeartbeatOfCustomizer() {
		this.runner
			.withBean(AsynqServerCustomizer.class, () -> (options) -> options.heartbeatInterval(Duration.ofSeconds(20)))
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("asynq.server.lease-duration", "PT20S", "60s or more"));
	}

	@Test
	void explainsInvalidEnvironmentVariable() {
		environment(Map.of("ASYNQ_SERVER_CONCURRENCY", "-4"))
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("asynq.server.concurrency", "-4"));
	}

	private ApplicationContextRunner environment(Map<String, Object> variables) {
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)));
	}

	private FailureAnalysis failure(String... properties) {
		AtomicReference<FailureAnalysis> analysis = new AtomicReference<>();
		this.runner.withInitializer(AsynqContexts.properties(properties))
			.run((context) -> analysis.set(FailureAnalyses.of(context.getStartupFailure())));
		return analysis.get();
	}

	private ApplicationContextRunner yaml(String yaml) {
		return this.runner.withInitializer((context) -> {
			try {
				new YamlPropertySourceLoader()
					.load("test", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
					.forEach(context.getEnvironment().getPropertySources()::addFirst);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

}
