package io.asynq.reliability.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.ToxiproxyClient;
import eu.rekawek.toxiproxy.model.Toxic;
import eu.rekawek.toxiproxy.model.ToxicDirection;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * A single Redis whose workers and producers reach it through a proxy that delays, drops
 * and silences. Toxiproxy does all of it: dropping answers is its toxic "timeout" on the
 * way back, which swallows what comes and then cuts the connection.
 */
public final class ProxiedRedis implements RedisSetup {

	private final StandaloneRedis redis;

	private final Toxiproxy toxiproxy;

	private final Proxy proxy;

	private final int port;

	private final JedisConnectionFactory through;

	private ProxiedRedis(StandaloneRedis redis, Toxiproxy toxiproxy, Proxy proxy, int port) {
		this.redis = redis;
		this.toxiproxy = toxiproxy;
		this.proxy = proxy;
		this.port = port;
		this.through = StandaloneRedis.connections(Ports.HOST, port);
	}

	/**
	 * Starts a Redis and a proxy before it that does nothing yet.
	 * @param module the folder of this module
	 * @param settings lines of Redis's configuration file
	 * @return both
	 */
	public static ProxiedRedis start(Path module, String... settings) {
		int control = Ports.free();
		int port = Ports.free();
		Toxiproxy toxiproxy = Toxiproxy.start(module, control);
		StandaloneRedis redis = StandaloneRedis.start(settings);
		try {
			Proxy proxy = new ToxiproxyClient(Ports.HOST, control).createProxy("redis", Ports.HOST + ":" + port,
					redis.goAddress());
			return new ProxiedRedis(redis, toxiproxy, proxy, port);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Toxiproxy does not do what it is told", ex);
		}
	}

	/**
	 * Delays what is sent to Redis.
	 * @param delay how much later a request arrives
	 */
	public void delay(Duration delay) {
		steer(() -> this.proxy.toxics().latency("delay", ToxicDirection.UPSTREAM, delay.toMillis()));
	}

	/**
	 * Lets requests arrive but no answers come, and cuts each connection some time after,
	 * new ones included, until {@link #heal()}.
	 * @param after when a connection is cut
	 */
	public void dropAnswers(Duration after) {
		steer(() -> this.proxy.toxics().timeout("drop", ToxicDirection.DOWNSTREAM, after.toMillis()));
	}

	/**
	 * Forwards nothing more in either direction and closes nothing, as when a machine is
	 * unplugged, until {@link #heal()}.
	 */
	public void silence() {
		steer(() -> {
			this.proxy.toxics().timeout("silent-up", ToxicDirection.UPSTREAM, 0);
			this.proxy.toxics().timeout("silent-down", ToxicDirection.DOWNSTREAM, 0);
		});
	}

	/**
	 * Ends whatever the proxy does to connections. What it has swallowed stays lost.
	 */
	public void heal() {
		steer(() -> {
			for (Toxic toxic : this.proxy.toxics().getAll()) {
				toxic.remove();
			}
		});
	}

	/**
	 * Returns the Redis behind the proxy.
	 * @return the process
	 */
	public RedisNode node() {
		return this.redis.node();
	}

	@Override
	public Map<String, String> springProperties() {
		return StandaloneRedis.springProperties(Ports.HOST, this.port);
	}

	@Override
	public RedisConnectionFactory connections() {
		return this.redis.connections();
	}

	@Override
	public RedisConnectionFactory producerConnections() {
		return this.through;
	}

	@Override
	public String goAddress() {
		return Ports.HOST + ":" + this.port;
	}

	@Override
	public void close() {
		this.through.destroy();
		this.toxiproxy.close();
		this.redis.close();
	}

	private static void steer(Steering steering) {
		try {
			steering.run();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Toxiproxy does not do what it is told", ex);
		}
	}

	/**
	 * Something that Toxiproxy is told.
	 */
	private interface Steering {

		void run() throws IOException;

	}

}
