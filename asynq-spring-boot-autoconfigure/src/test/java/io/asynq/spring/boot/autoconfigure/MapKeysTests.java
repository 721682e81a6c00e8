package io.asynq.spring.boot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of keys of properties, with and without brackets.
 */
class MapKeysTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@ParameterizedTest
	@CsvSource({ "asynq.client.tasks.mail:send.max-retry=3, asynq.client.tasks.[mail:send].max-retry",
			"asynq.client.tasks.mail.send.maxRetry=3, asynq.client.tasks.[mail.send].maxRetry",
			"asynq.client.tasks.mail:send.v2.queue=low, asynq.client.tasks.[mail:send.v2].queue",
			"asynq.server.retry.mail:send.max-delay=3s, asynq.server.retry.[mail:send].max-delay",
			"asynq.server.queues.User:42=1, asynq.server.queues.[User:42]",
			"asynq.server.queues.a.b=1, asynq.server.queues.[a.b]",
			"asynq.server.queues.größe.group-max-size=5, asynq.server.queues.[größe].group-max-size",
			"asynq.server.queues.a.b.group-max-size=5, asynq.server.queues.[a.b].group-max-size",
			"asynq.limits.mail:send.concurrent=3, asynq.limits.[mail:send].concurrent",
			"asynq.limits.a.b.rate=5/s, asynq.limits.[a.b].rate",
			"asynq.scheduler.entries.report:nightly.cron=@daily, asynq.scheduler.entries.[report:nightly].cron" })
	void startFailsOnKeyAlteredByBindingAndNamesBracketedForm(String property, String bracketed) {
		this.runner.withInitializer(AsynqContexts.properties(property)).run((context) -> {
			FailureAnalysis analysis = FailureAnalyses.of(context.getStartupFailure());
			assertThat(analysis.getDescription()).contains("'" + property.substring(0, property.indexOf('=')) + "'",
					"in brackets, " + bracketed + ",");
		});
	}

	@Test
	void unalteredKeyNeedsNoBrackets() {
		this.runner
			.withInitializer(AsynqContexts.properties("asynq.client.tasks.Mail_1.max-retry=3",
					"asynq.client.tasks.[mail:send].max-retry=3", "asynq.client.tasks[a.b].queue=low",
					"asynq.server.queues.User-42=1", "asynq.server.queues.[User:42]=1",
					"asynq.server.queues.low.group-max-size=5", "asynq.scheduler.entries.a.type=a",
					"asynq.scheduler.entries.a.cron=@daily", "asynq.scheduler.entries.a.headers.x.y=1"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
