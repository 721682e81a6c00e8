package io.asynq.reliability.fault;

import java.time.Duration;

import io.asynq.test.ledger.Explains;
import io.asynq.test.redis.ProxiedRedis;
import io.asynq.test.redis.RedisSetup;

/**
 * Requests reach Redis but their answers are lost and the connection is closed,
 * repeatedly, for producers and workers.
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
		return ProxiedRedis.start();
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		ProxiedRedis redis = stage.redis(ProxiedRedis.class);
		while (stage.feeding()) {
			stage.pause(Duration.ofMillis(200 + stage.random().nextInt(400)));
			try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "answers dropped")) {
				redis.proxy().dropAnswers(CUT);
				stage.pause(CUT.plusMillis(stage.random().nextInt(300)));
				redis.proxy().heal();
			}
		}
	}

	@Override
	public boolean producersPersist() {
		return true;
	}

}
