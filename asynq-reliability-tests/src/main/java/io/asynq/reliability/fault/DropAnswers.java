package io.asynq.reliability.fault;

import java.nio.file.Path;
import java.time.Duration;

import io.asynq.reliability.ledger.Explains;
import io.asynq.reliability.redis.ProxiedRedis;
import io.asynq.reliability.redis.RedisSetup;

/**
 * What is asked of Redis arrives, but its answer does not, and the connection is cut:
 * again and again, for producers and workers. Whoever asked asks again. No task may be
 * enqueued twice under its id, and each outcome counts once.
 */
final class DropAnswers implements Fault {

	private static final Duration CUT = Duration.ofMillis(200);

	@Override
	public String name() {
		return "drop-answers";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? Scenario.of(400, Duration.ofSeconds(4))
				: Scenario.of(3000, Duration.ofSeconds(30));
	}

	@Override
	public Timing timing(Scale scale) {
		return Timing.ofOutages(scale);
	}

	@Override
	public RedisSetup openRedis() {
		return ProxiedRedis.start(Path.of(System.getProperty("asynq.reliability", "")));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		ProxiedRedis redis = stage.redis(ProxiedRedis.class);
		while (stage.feeding()) {
			stage.pause(Duration.ofMillis(200 + stage.random().nextInt(400)));
			try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "answers dropped")) {
				redis.dropAnswers(CUT);
				stage.pause(CUT.plusMillis(stage.random().nextInt(300)));
				redis.heal();
			}
		}
	}

	@Override
	public boolean producersPersist() {
		return true;
	}

}
