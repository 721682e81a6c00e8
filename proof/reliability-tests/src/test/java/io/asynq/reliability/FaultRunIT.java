package io.asynq.reliability;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

import io.asynq.reliability.check.Verdict;
import io.asynq.reliability.fault.Fault;
import io.asynq.reliability.fault.Scale;
import io.asynq.reliability.fault.Scenario;
import io.asynq.reliability.fault.Stage;
import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Explains;
import io.asynq.test.process.GoProgram;
import io.asynq.test.process.Repository;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.Driver;
import io.asynq.test.redis.StandaloneRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@RequiresGo
class FaultRunIT {

	private static final int ACKNOWLEDGED_FIRST = 100;

	@TempDir
	private Path folder;

	@Test
	void findsTasksForgottenByRedisThatPromisesDurability() throws InterruptedException {
		Verdict verdict = run(new ForgetfulRedis());
		assertThat(verdict.passed()).isFalse();
		assertThat(verdict.lost()).isPositive();
		assertThat(verdict.count("counters-match-ledger")).isPositive();
	}

	private Verdict run(Fault fault) throws InterruptedException {
		Settings settings = new Settings(Scale.QUICK, 1, this.folder,
				GoProgram.build(Repository.path("proof/reliability-tests/go"),
						Repository.path("proof/reliability-tests/target/go/reliability")),
				Clock.systemUTC(), Driver.JEDIS);
		return Objects.requireNonNull(new FaultRun(fault, settings).run().verdict());
	}

	private static final class ForgetfulRedis extends Fault {

		private static final Scenario LOAD = Scenario.of(200, 2).workers(WorkerKind.JAVA);

		ForgetfulRedis() {
			super("forgetful-redis", LOAD, LOAD);
		}

		@Override
		public void inject(Stage stage) throws InterruptedException {
			while (stage.ledger().acknowledged().size() < ACKNOWLEDGED_FIRST) {
				stage.pause(Duration.ofMillis(50));
			}
			try (Stage.Window window = stage.window(Explains.ANY, "Redis has forgotten everything")) {
				StandaloneRedis redis = stage.redis(StandaloneRedis.class);
				redis.node().kill();
				redis.node().restart();
			}
		}

	}

}
