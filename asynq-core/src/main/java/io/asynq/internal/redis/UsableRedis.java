package io.asynq.internal.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;

/** Redis answers PING even if it is too old, or a single node of a cluster. */
public final class UsableRedis {

	public static final String TOO_OLD = Advice.TOO_OLD;

	private static final String SUBJECT = "health check";

	/** How long a master may take before another one is asked, too. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	/** Where the last answer came from, to be asked first the next time. */
	private static volatile int answering;

	private final ScriptRunner scripts;

	private volatile boolean known;

	public UsableRedis(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	public void requireOnce() {
		if (!this.known) {
			require();
		}
	}

	/** One master is enough: one that is away affects its own queues only. */
	public void ping() {
		if (this.scripts.isCluster()) {
			pingCluster();
		}
		else if (this.scripts.runAsGiven("PING", SUBJECT, UsableRedis::ping)) {
			requireOnce();
		}
		else {
			require();
		}
	}

	private void pingCluster() {
		try {
			require();
		}
		catch (BrokerUnavailableException ex) {
			// Other masters may answer
			this.scripts.runAsGiven("PING", SUBJECT, UsableRedis::ping);
		}
	}

	void require() {
		if (this.scripts.isCluster()) {
			onAnyMaster("the check of the cluster", (tag) -> require(List.of(tag)));
		}
		else {
			require(Keys.CHECK_TAGS);
		}
		this.known = true;
	}

	private void require(List<String> tags) {
		if (!isNewEnough(tags)) {
			throw new BrokerException("This Redis cannot be used: " + TOO_OLD, null);
		}
	}

	/** Does not await masters that hang; throws the last error if all have failed. */
	public static void onAnyMaster(String subject, Consumer<String> call) {
		BrokerException error = null;
		int first = answering;
		for (int i = 0; i < Keys.CHECK_TAGS.size(); i++) {
			int next = (first + i) % Keys.CHECK_TAGS.size();
			String tag = Keys.CHECK_TAGS.get(next);
			FutureTask<Boolean> answer = new FutureTask<>(() -> call.accept(tag), true);
			Thread thread = new Thread(answer, "asynq-any-master");
			thread.setDaemon(true);
			thread.start();
			try {
				answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
				answering = next;
				return;
			}
			catch (TimeoutException ex) {
				error = new BrokerUnavailableException("No master of the cluster has answered in time: " + subject, ex);
			}
			catch (ExecutionException ex) {
				error = (ex.getCause() instanceof BrokerException refusal) ? refusal
						: new BrokerException("Unexpected error: " + subject, ex.getCause());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new BrokerUnavailableException("The calling thread was interrupted: " + subject, ex);
			}
		}
		throw Objects.requireNonNull(error);
	}

	public boolean isNewEnough(List<String> tags) {
		for (String tag : tags) {
			if (this.scripts.runLong(LuaScript.CHECK_USABLE, "a check whether it is usable",
					List.of(Keys.check(tag))) == 0) {
				return false;
			}
		}
		return true;
	}

	private static boolean ping(RedisConnection connection) {
		if (!(connection instanceof RedisClusterConnection cluster)) {
			if (connection.ping() == null) {
				throw new BrokerUnavailableException("Redis does not answer PING", null);
			}
			return false;
		}
		RuntimeException error = new BrokerUnavailableException("The cluster has no master", null);
		for (RedisClusterNode node : cluster.clusterGetNodes()) {
			try {
				if (node.isMaster() && cluster.ping(node) != null) {
					return true;
				}
			}
			catch (RuntimeException ex) {
				error = ex;
			}
		}
		throw error;
	}

}
