package io.asynq.reliability.fault;

import java.time.Duration;

import io.asynq.test.ledger.Explains;
import io.asynq.test.redis.StandaloneRedis;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

/** Redis repeatedly closes all connections, subscriptions included. */
public final class ClientKill implements Fault {

	@Override
	public String name() {
		return "client-kill";
	}

	@Override
	public Scenario scenario(Scale scale) {
		return (scale == Scale.QUICK) ? Scenario.of(2_500, Duration.ofSeconds(8))
				: Scenario.of(15_000, Duration.ofSeconds(40));
	}

	@Override
	public void inject(Stage stage) throws InterruptedException {
		while (stage.feeding()) {
			stage.pause(Duration.ofMillis(200 + stage.random().nextInt(800)));
			try (Stage.Window window = stage.window(Stage.Window.ALL, Explains.NOTHING, "CLIENT KILL")) {
				stage.redis(StandaloneRedis.class).node().call(ClientKill::killAll);
			}
		}
	}

	private static long killAll(Jedis jedis) {
		return jedis.clientKill(new ClientKillParams().type(ClientType.PUBSUB))
				+ jedis.clientKill(new ClientKillParams().type(ClientType.NORMAL).skipMe(ClientKillParams.SkipMe.YES));
	}

}
