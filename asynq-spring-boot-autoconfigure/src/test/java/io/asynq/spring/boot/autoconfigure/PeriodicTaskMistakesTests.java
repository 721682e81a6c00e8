package io.asynq.spring.boot.autoconfigure;

import java.util.concurrent.atomic.AtomicReference;

import io.asynq.Task;
import io.asynq.annotation.PeriodicTask;
import io.asynq.schedule.PeriodicTaskProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Mistakes in periodic tasks are explained at the start or in the log.
 */
@ExtendWith(OutputCaptureExtension.class)
class PeriodicTaskMistakesTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@ParameterizedTest
	@CsvSource({ "asynq.scheduler.sync-interval, 999ms, at least 1 second",
			"asynq.scheduler.heartbeat-interval, 0s, at least 1 second",
			"asynq.scheduler.sync-interval, 40000d, at most 100 years",
			"asynq.scheduler.zone, Mars/Phobos, Europe/Berlin" })
	void failureNamesInvalidProperty(String property, String value, String wayOut) {
		FailureAnalysis analysis = failure(this.runner, property + "=" + value);
		assertThat(analysis.getDescription()).contains("'" + property + "'", wayOut);
		assertThat(analysis.getAction()).isNotBlank();
	}

	@Test
	void rejectsCatchUpWithoutClusterSafety() {
		assertThat(failure(this.runner, "asynq.scheduler.cluster-safe=false", "asynq.scheduler.missed-fires=once")
			.getDescription()).contains("asynq.scheduler.missed-fires", "asynq.scheduler.cluster-safe=true");
	}

	@Test
	void explainsEntryWithoutType() {
		assertThat(failure(this.runner, "asynq.scheduler.entries.a.cron=@daily", "asynq.scheduler.entries.a.type= ")
			.getDescription()).contains("asynq.scheduler.entries.a:", "'type' is missing", "'cron' and 'type'");
		assertThat(failure(this.runner, "asynq.scheduler.entries[0].type=x").getDescription())
			.contains("asynq.scheduler.entries[0]:", "'cron' is missing");
	}

	@Test
	void explainsAllInvalidEntriesAtOnce() {
		FailureAnalysis analysis = failure(this.runner, "asynq.scheduler.entries.a.cron=0 25 * * *",
				"asynq.scheduler.entries.a.type=x", "asynq.scheduler.entries.b.cron=@daily",
				"asynq.scheduler.entries.b.type=x", "asynq.scheduler.entries.b.zone=Mars/Phobos",
				"asynq.scheduler.entries.c.cron=@daily", "asynq.scheduler.entries.c.type=x",
				"asynq.scheduler.entries.c.queue= ");
		assertThat(analysis.getDescription()).contains("'a'", "field 'hour'", "'25'", "'b'", "Mars/Phobos", "'c'",
				"'queue'");
		assertThat(analysis.getAction()).contains("asynq.scheduler.entries");
	}

	@Test
	void explainsEntriesAndMethodsThatNeverFire() {
		assertThat(failure(this.runner, "asynq.scheduler.entries.a.cron=0 3 31 4 *", "asynq.scheduler.entries.a.type=x")
			.getDescription()).contains("'a'", "0 3 31 4 *", "never fires");
		assertThat(failure(this.runner.withBean(February.class)).getDescription()).contains("February.last()",
				"0 3 30 2 *", "never fires");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a.payload.full=true", "a.payload[0]=1", "[x:y].payload.full=true" })
	void explainsPayloadThatIsNoText(String payload) {
		String key = payload.substring(0, payload.indexOf(".payload"));
		String property = "asynq.scheduler.entries" + (key.startsWith("[") ? "" : ".") + key;
		assertThat(failure(this.runner, property + ".cron=@daily", property + ".type=x",
				property + payload.substring(key.length()))
			.getDescription()).contains(property + ":", "'payload' is not a text", "in quotes");
	}

	@Test
	void explainsKeyWithDot() {
		assertThat(failure(this.runner, "asynq.scheduler.entries.a.b.cron=@daily", "asynq.scheduler.entries.a.b.type=x")
			.getDescription()).contains("asynq.scheduler.entries.a.b.", "asynq.scheduler.entries.[a.b].");
	}

	@Test
	void explainsMistakesOfBeansByName() {
		assertThat(failure(this.runner.withUserConfiguration(Mistakes.class), "asynq.scheduler.entries.b.cron=@daily")
			.getDescription())
			.contains("asynq.scheduler.entries.b:", "'type' is missing", "Bean 'first':", "Bean 'second':", "'61'");
	}

	@Test
	void continuesWithoutFailingProviderAndNamesItsBean(CapturedOutput output) {
		this.runner.withBean("tenants", PeriodicTaskProvider.class, () -> () -> {
			throw new IllegalStateException("no database");
		}).run((context) -> {
			assertThat(context).hasNotFailed();
			await().untilAsserted(() -> assertThat(output).contains("PeriodicTaskProvider 'tenants' failed",
					"it has no entries", "no database"));
		});
	}

	@Test
	void explainsDuplicateId() {
		FailureAnalysis analysis = failure(this.runner, "asynq.scheduler.entries[0].cron=@daily",
				"asynq.scheduler.entries[0].type=x", "asynq.scheduler.entries[0].id=same",
				"asynq.scheduler.entries[1].cron=@weekly", "asynq.scheduler.entries[1].type=y",
				"asynq.scheduler.entries[1].id=same");
		assertThat(analysis.getDescription()).contains("'same'", "@daily", "@weekly");
		assertThat(analysis.getAction()).contains("its own id");
	}

	@Test
	void explainsMethodThatCannotBePeriodic() {
		assertThat(failure(this.runner.withBean(Impossible.class)).getDescription()).contains("Impossible.nothing",
				"returns nothing");
	}

	private static FailureAnalysis failure(ApplicationContextRunner runner, String... properties) {
		AtomicReference<FailureAnalysis> analysis = new AtomicReference<>();
		runner.withInitializer(AsynqContexts.properties(properties))
			.run((context) -> analysis.set(FailureAnalyses.of(context.getStartupFailure())));
		return analysis.get();
	}

	static class February {

		@PeriodicTask(cron = "0 3 30 2 *", type = "x")
		String last() {
			return "";
		}

	}

	static class Impossible {

		@PeriodicTask(cron = "@daily", type = "x")
		void nothing() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Mistakes {

		@Bean
		io.asynq.schedule.PeriodicTaskDefinition first() {
			return io.asynq.schedule.PeriodicTaskDefinition.of("61 * * * *", Task.of("bean", ""));
		}

		@Bean
		io.asynq.schedule.PeriodicTaskDefinition second() {
			return io.asynq.schedule.PeriodicTaskDefinition.of("@daily", Task.of("bean", "")).zone("Mars/Phobos");
		}

	}

}
