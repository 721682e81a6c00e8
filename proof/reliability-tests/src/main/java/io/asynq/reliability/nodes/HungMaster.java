package io.asynq.reliability.nodes;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.asynq.AsynqClient;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.reliability.check.StandstillWatch;
import io.asynq.reliability.process.LocalServer;
import io.asynq.server.AsynqServer;
import io.asynq.test.redis.ClusterRedis;
import io.asynq.test.redis.RedisNode;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import redis.clients.jedis.util.JedisClusterCRC16;

/** A master is stopped with SIGSTOP and not replaced. */
public final class HungMaster {

	private static final List<String> QUEUES = IntStream.range(0, 12).mapToObj((i) -> "queue-" + i).toList();

	/** The promise for the healthy queues. */
	private static final Duration PICK_UP = Duration.ofSeconds(1);

	private static final Duration BETWEEN_PROBES = Duration.ofMillis(50);

	private static final Duration SETTLING = Duration.ofMinutes(2);

	private final ClusterRedis redis;

	private final Duration time;

	private final List<String> findings = new ArrayList<>();

	private HungMaster(ClusterRedis redis, Duration time) {
		this.redis = redis;
		this.time = time;
	}

	public static Result run(Map<String, String> timing, Duration time) {
		try (ClusterRedis redis = ClusterRedis.start("cluster-replica-no-failover yes",
				"cluster-require-full-coverage no")) {
			return new HungMaster(redis, time).run(timing);
		}
	}

	private Result run(Map<String, String> timing) {
		RedisNode hung = victim();
		List<String> healthy = QUEUES.stream().filter((queue) -> master(queue) != hung).toList();
		try (ConfigurableApplicationContext context = start(timing);
				StandstillWatch watch = StandstillWatch.start(Clock.systemUTC())) {
			Handled handled = context.getBean(Handled.class);
			AsynqClient client = context.getBean(AsynqClient.class);
			for (String queue : QUEUES) {
				client.enqueue(Task.of(Handled.LONG, ""), TaskOptions.of((options) -> options.queue(queue)));
			}
			await("long tasks did not begin", () -> handled.begun() == QUEUES.size());
			hung.pause();
			try {
				probe(client, healthy, handled);
				await("the node that hangs was not told",
						() -> !context.getBean(AsynqServer.class).nodesAway().isEmpty());
			}
			finally {
				hung.resume();
			}
			handled.interrupted()
				.stream()
				.filter(healthy::contains)
				.forEach((queue) -> this.findings.add("the long task of healthy queue '" + queue + "' lost its lease"));
			Duration pickUp = handled.pickUp(0.99, watch.noticed());
			if (pickUp.compareTo(PICK_UP) > 0) {
				this.findings.add("pick-up in healthy queues: p99 " + pickUp + " instead of " + PICK_UP);
			}
			int probes = handled.probes();
			QUEUES.forEach((queue) -> send(client, queue));
			await("the queues of the node that had hung did not go on",
					() -> handled.probes() == probes + QUEUES.size());
			handled.end();
			return new Result(handled.probes() + QUEUES.size(), pickUp, this.findings);
		}
	}

	/**
	 * The worst one, because every enqueue adds the queue to a set that all queues share.
	 */
	private RedisNode victim() {
		RedisNode names = this.redis.master(JedisClusterCRC16.getSlot("asynq:queues"));
		return QUEUES.stream().map(this::master).filter((node) -> node == names).findFirst().orElseThrow();
	}

	private RedisNode master(String queue) {
		return this.redis.master(ClusterRedis.slotOfQueue(queue));
	}

	private void probe(AsynqClient client, List<String> healthy, Handled handled) {
		int sent = 0;
		long end = System.nanoTime() + this.time.toNanos();
		while (System.nanoTime() < end) {
			send(client, healthy.get(sent % healthy.size()));
			sent++;
			LockSupport.parkNanos(BETWEEN_PROBES.toNanos());
		}
		int all = sent;
		await("tasks of healthy queues were not handled", () -> handled.probes() == all);
	}

	private static void send(AsynqClient client, String queue) {
		client.enqueue(Task.of(Handled.PROBE, String.valueOf(System.nanoTime())),
				TaskOptions.of((options) -> options.queue(queue)));
	}

	private void await(String otherwise, Callable<Boolean> condition) {
		try {
			Awaitility.await().atMost(SETTLING).pollInterval(Duration.ofMillis(20)).until(condition);
		}
		catch (ConditionTimeoutException ex) {
			this.findings.add(otherwise);
		}
	}

	private ConfigurableApplicationContext start(Map<String, String> timing) {
		Map<String, String> properties = new LinkedHashMap<>(this.redis.springProperties());
		properties.putAll(timing);
		properties.put("asynq.server.concurrency", "32");
		return LocalServer.start(Application.class, properties, QUEUES);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Handled handled() {
			return new Handled(Clock.systemUTC());
		}

	}

	/**
	 * How long tasks of healthy queues waited while a node hung, at the 99th percentile.
	 */
	public record Result(int tasks, Duration pickUp, List<String> findings) {

	}

}
