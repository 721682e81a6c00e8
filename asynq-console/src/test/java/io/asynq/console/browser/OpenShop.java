package io.asynq.console.browser;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.Repository;

import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * An application with an open console, on a Redis of its own with what Java and a live Go
 * server have written, and the scripts that look at it.
 */
final class OpenShop implements AutoCloseable {

	static final Path PICTURES = Repository.path("asynq-console/target/screenshots");

	// Its data must survive that its process is killed, which needs no wait for the disk
	private final TestRedis redis = TestRedis.startOwn("appendonly yes", "appendfsync no");

	private final JedisConnectionFactory connections = RedisExtension.connectionFactory(this.redis);

	private final Path logs;

	private final GoSide go;

	private final Stage stage;

	private final ShopProcess open;

	/**
	 * @param name of the folder of its logs
	 */
	OpenShop(String name) throws InterruptedException {
		Scripts.prepare();
		this.logs = Repository.path("asynq-console/target/browser").resolve(name);
		this.go = new GoSide(this.redis.uri(), log("go"));
		this.stage = new Stage(this.redis.node(), this.go);
		this.open = start(Kind.OPEN, "open").awaitReady();
	}

	/**
	 * Starts a Go server, and fills Redis.
	 * @param beforeTrouble called once there is work, but nothing has failed
	 */
	void tell(Runnable beforeTrouble) throws InterruptedException {
		Story story = new Story(this.redis.node(), this.connections, this.go);
		story.startGo();
		story.tellOfWork();
		beforeTrouble.run();
		story.tellOfTrouble();
	}

	/** Starts another application on the same Redis. */
	ShopProcess start(Kind kind, String name, String... arguments) throws InterruptedException {
		return ShopProcess.start(kind, this.redis.uri(), log(name), arguments);
	}

	Path log(String name) {
		return this.logs.resolve(name + ".log");
	}

	/** Runs a script on the open console. */
	void run(String script) {
		run(script, url(this.open), Map.of());
	}

	/** Runs a script on the open console and another one. */
	void run(String script, Map<String, String> more) {
		run(script, url(this.open), more);
	}

	void run(String script, String url, Map<String, String> more) {
		Map<String, String> environment = new HashMap<>(more);
		environment.putAll(Map.of("CONSOLE_HOST", url, "STAGE", this.stage.url(), "SCREENSHOTS", PICTURES.toString()));
		Scripts.run(script, environment);
	}

	static String url(ShopProcess shop) {
		return "http://127.0.0.1:" + shop.port();
	}

	@Override
	public void close() {
		for (AutoCloseable each : new AutoCloseable[] { this.open, this.stage, this.go, this.connections::destroy,
				this.redis::stop }) {
			try {
				each.close();
			}
			catch (Exception ex) {
				System.err.println("Not ended: " + ex);
			}
		}
	}

}
