package io.asynq.spring.boot.autoconfigure;

import io.asynq.operations.preflight.PreflightFailedException;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerState;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.redis.RedisNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * What an application does about a Redis that will lose tasks.
 */
@ExtendWith({ RedisExtension.class, OutputCaptureExtension.class })
class PreflightIT {

	@Test
	void startsAndWarnsOfEachFindingWithTheFix(TestRedis redis, CapturedOutput output) {
		try (ConfigurableApplicationContext context = TestApplication.run(redis, "asynq.server.preflight=warn",
				"asynq.server.concurrency=4", "spring.data.redis.jedis.pool.max-active=2")) {
			await().untilAsserted(() -> assertThat(output.getOut().lines().filter((line) -> line.contains(" WARN ")))
				.hasSize(2)
				.anyMatch((line) -> line.contains("spring.data.redis.jedis.pool.max-active=4"))
				.anyMatch((line) -> line.contains("stores nothing on disk") && line.contains("appendonly yes")));
			assertThat(context.getBean(AsynqServer.class).state()).isEqualTo(ServerState.ACTIVE);
		}
	}

	@Test
	void doesNotStartIfFindingsAreFailures(TestRedis redis) {
		assertThatException().isThrownBy(() -> TestApplication.run(redis, "asynq.server.preflight=fail"))
			.satisfies((failure) -> {
				FailureAnalysis analysis = new AsynqFailureAnalyzer().analyze(failure);
				assertThat(analysis).isNotNull();
				assertThat(analysis.getDescription()).contains("stores nothing on disk");
				assertThat(analysis.getAction()).contains("appendonly yes");
			});
	}

	@Test
	void namesRedisThatIsTooOld() {
		try (RedisNode old = OldRedis.start()) {
			assertThatException()
				.isThrownBy(() -> TestApplication.run(TestApplication.class, old.port(), "asynq.server.preflight=fail"))
				.havingCause()
				.isInstanceOf(PreflightFailedException.class)
				.withMessageContaining("too old");
		}
	}

}
