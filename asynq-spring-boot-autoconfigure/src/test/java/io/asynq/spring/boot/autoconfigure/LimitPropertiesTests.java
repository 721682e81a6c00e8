package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskMux;
import io.asynq.limit.LimitKey;
import io.asynq.limit.LimitRate;
import io.asynq.limit.TaskLimit;
import io.asynq.limit.TaskLimits;
import io.asynq.server.ServerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits over all servers in properties.
 */
class LimitPropertiesTests {

	private final ApplicationContextRunner runner = AsynqContexts.wired();

	@Test
	void propertiesReachServerAndQueuesAndHandlers() {
		this.runner.withBean("account", LimitKey.class, () -> Task::type)
			.withBean(Rendering.class)
			.withPropertyValues("asynq.limits.pdf.concurrent=${most:3}", "asynq.limits.bank.rate=10/s",
					"asynq.limits.bank.burst=20", "asynq.limits.tenant.concurrent=2", "asynq.limits.tenant.rate=5/10s",
					"asynq.limits.tenant.key=header:tenant", "asynq.limits.account.concurrent=1",
					"asynq.limits.account.key=account", "asynq.server.queues.low.limit=pdf,bank")
			.run((context) -> {
				Map<String, TaskLimit> limits = context.getBean(ServerOptions.class).limits();
				assertThat(limits.get("pdf")).isEqualTo(TaskLimit.concurrent(3));
				assertThat(limits.get("bank"))
					.isEqualTo(new TaskLimit(0, new LimitRate(10, Duration.ofSeconds(1), 20), null));
				assertThat(limits.get("tenant").rate()).isEqualTo(LimitRate.of(5, Duration.ofSeconds(10)));
				assertThat(limits.get("tenant").key().key(Task.of("t", "x").withHeaders(Map.of("Tenant", "acme"))))
					.isEqualTo("acme");
				assertThat(limits.get("account").key().key(Task.of("t", "x"))).isEqualTo("t");
				assertThat(context.getBean(ServerOptions.class).limitsOf("low")).containsExactly("pdf", "bank");
				assertThat(context.getBean(TaskMux.class).limits("invoice:render").names()).isEqualTo(List.of("pdf"));
				assertThat(context).hasSingleBean(TaskLimits.class);
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "asynq.limits.pdf.concurrent=0 | asynq.limits.pdf.concurrent | pause their queue",
					"asynq.limits.pdf.concurrent=-1 | asynq.limits.pdf.concurrent | At least 1",
					"asynq.limits.pdf.rate=0/s | asynq.limits.pdf.rate | must be at least 1",
					"asynq.limits.pdf.rate=fast | asynq.limits.pdf.rate | 10/s",
					"asynq.limits.pdf.rate=9999999/ms | asynq.limits.pdf.rate | million",
					"asynq.limits.pdf.burst=3 | asynq.limits.pdf.burst | asynq.limits.pdf.rate",
					"asynq.limits.pdf.rate=10/s,asynq.limits.pdf.burst=9 | asynq.limits.pdf.burst | at least 10",
					"asynq.limits.pdf.key=header:tenant | asynq.limits.pdf.concurrent | asynq.limits.pdf.rate",
					"asynq.limits.pdf.concurrent=1,asynq.limits.pdf.key=nobody | asynq.limits.pdf.key | LimitKey",
					"asynq.limits.pdf.concurrent=1,asynq.limits.pdf.key=header: | asynq.limits.pdf.key | header",
					"asynq.limits[a b].concurrent=1 | asynq.limits.a b | letters",
					"asynq.server.queues.low.limit=fax | queues | asynq.limits.fax.concurrent" })
	void invalidValuesAreExplained(String properties, String property, String reason) {
		this.runner.withPropertyValues(properties.split(","))
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains(property, reason));
	}

	@Test
	void handlerWithUnknownLimitIsNamed() {
		this.runner.withBean(Rendering.class)
			.run((context) -> assertThat(FailureAnalyses.of(context.getStartupFailure()).getDescription())
				.contains("Rendering.render()", "limit 'pdf' is not configured", "asynq.limits.pdf.concurrent"));
	}

	static class Rendering {

		@TaskHandler(type = "invoice:render", limit = "${pdf.limit:pdf}")
		void render() {
		}

	}

}
