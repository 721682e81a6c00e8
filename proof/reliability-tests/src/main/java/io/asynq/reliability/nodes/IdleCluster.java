package io.asynq.reliability.nodes;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;

import io.asynq.AsynqClient;
import io.asynq.BrokerException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.reliability.check.StandstillWatch;
import io.asynq.reliability.process.LocalServer;
import io.asynq.test.redis.ClusterRedis;
import io.asynq.test.redis.Driver;
import io.asynq.test.redis.LossyProxy;
import io.asynq.test.redis.RedisNode;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.springframework.context.ConfigurableApplicationContext;

/** An idle server with one queue on each of three masters. */
public final class IdleCluster {

	/** One for each master. */
	private static final List<String> QUEUES = List.of("a", "b", "c");

	/** The queue that faults are about. */
	private static final String QUEUE = "a";

	/** The promise. */
	private static final Duration PICK_UP = Duration.ofSeconds(2);

	private static final Duration SETTLING = Duration.ofMinutes(2);

	private final Driver driver;

	private final List<String> findings = new ArrayList<>();

	private Duration longest = Duration.ZERO;

	private int faults;

	private int tasks;

	private IdleCluster(Driver driver) {
		this.driver = driver;
	}

	public static Result run(Driver driver, int rounds) {
		IdleCluster experiment = new IdleCluster(driver);
		experiment.changeMasters(rounds);
		experiment.strandConnection(rounds);
		return new Result(experiment.faults, experiment.tasks, experiment.longest, experiment.findings);
	}

	private void changeMasters(int rounds) {
		int slot = ClusterRedis.slotOfQueue(QUEUE);
		try (ClusterRedis redis = ClusterRedis.start(); Idle idle = new Idle(redis.springProperties())) {
			for (int round = 0; round < rounds; round++) {
				idle.settle();
				redis.moveSlot(slot, new Random(round));
				idle.probe("the move of its slot");
				RedisNode killed = redis.killMaster(slot);
				idle.probe("the death of its master");
				killed.restart();
				redis.awaitComplete();
			}
		}
	}

	private void strandConnection(int rounds) {
		for (int round = 0; round < rounds; round++) {
			try (ClusterRedis redis = ClusterRedis.startWithoutReplicas()) {
				RedisNode node = redis.master(ClusterRedis.slotOfQueue(QUEUE));
				try (LossyProxy relay = LossyProxy.start(node.port())) {
					announce(redis, node, relay.port());
					try (Idle idle = new Idle(redis.springProperties())) {
						idle.settle();
						relay.strandListening();
						idle.probe("its connection was stranded");
					}
				}
			}
		}
	}

	/** Has all nodes believe that a node has the port of the relay. */
	private static void announce(ClusterRedis redis, RedisNode node, int port) {
		node.configure("cluster-announce-bus-port", String.valueOf(node.port() + 10000));
		node.configure("cluster-announce-port", String.valueOf(port));
		Awaitility.await()
			.atMost(SETTLING)
			.until(() -> redis.nodes()
				.stream()
				.allMatch((other) -> other.<String>call((jedis) -> jedis.clusterNodes()).contains(":" + port + "@")));
	}

	/** A server without work. */
	private final class Idle implements AutoCloseable {

		private final ConfigurableApplicationContext context;

		private final StandstillWatch watch = StandstillWatch.start(Clock.systemUTC());

		private int sent;

		Idle(Map<String, String> redis) {
			Map<String, String> properties = new LinkedHashMap<>(redis);
			properties.putAll(IdleCluster.this.driver.springProperties());
			this.context = LocalServer.start(HungMaster.Application.class, properties, QUEUES);
		}

		/** Has a task of each queue handled, after which the server is idle again. */
		void settle() {
			QUEUES.forEach(this::send);
			awaitHandled("before any fault");
		}

		/** Sends the next task of the queue, and one more. */
		void probe(String fault) {
			IdleCluster.this.faults++;
			for (String which : List.of("The task after ", "The second task after ")) {
				Handled before = handled();
				int handled = before.probes();
				send(QUEUE);
				awaitHandled(fault);
				Duration time = before.pickUpSince(handled, this.watch.noticed());
				if (time.compareTo(IdleCluster.this.longest) > 0) {
					IdleCluster.this.longest = time;
				}
				if (time.compareTo(PICK_UP) > 0) {
					IdleCluster.this.findings.add(which + fault + " started after " + time + " instead of " + PICK_UP);
				}
			}
		}

		@Override
		public void close() {
			this.watch.close();
			this.context.close();
		}

		/** The producer, too, may learn only by an error that a master has changed. */
		private void send(String queue) {
			AsynqClient client = this.context.getBean(AsynqClient.class);
			await("no task could be enqueued", () -> {
				try {
					client.enqueue(Task.of(Handled.PROBE, String.valueOf(System.nanoTime())),
							TaskOptions.of((options) -> options.queue(queue)));
					return true;
				}
				catch (BrokerException ex) {
					return false;
				}
			});
			this.sent++;
			IdleCluster.this.tasks++;
		}

		private void awaitHandled(String fault) {
			await("a task did not start: " + fault, () -> handled().probes() >= this.sent);
		}

		private Handled handled() {
			return this.context.getBean(Handled.class);
		}

		private void await(String otherwise, Callable<Boolean> condition) {
			try {
				Awaitility.await().atMost(SETTLING).pollInterval(Duration.ofMillis(10)).until(condition);
			}
			catch (ConditionTimeoutException ex) {
				IdleCluster.this.findings.add(otherwise);
			}
		}

	}

	/** How long the task waited that waited longest. */
	public record Result(int faults, int tasks, Duration longest, List<String> findings) {

	}

}
