package io.asynq.broker.redis.check;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

import io.asynq.broker.redis.ScriptRunner;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Asks the Redis servers that hold queues: the only one, or each master of a cluster.
 * Answers are by address; that of the only one is empty.
 */
final class RedisNodes {

	private static final String ONLY = "";

	private static final String SUBJECT = "the check at the start";

	private final ScriptRunner scripts;

	RedisNodes(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	/** Returns what INFO says of each. */
	Map<String, Properties> info() {
		return ask("INFO", (connection) -> connection.serverCommands().info(),
				(cluster, node) -> cluster.serverCommands().info(node));
	}

	/** Returns one setting of each. */
	Map<String, Properties> config(String name) {
		return ask("CONFIG GET", (connection) -> connection.serverCommands().getConfig(name),
				(cluster, node) -> cluster.serverCommands().getConfig(node, name));
	}

	/** Returns the time of each, in milliseconds since the epoch. */
	Map<String, Long> times() {
		return ask("TIME", (connection) -> connection.serverCommands().time(TimeUnit.MILLISECONDS),
				(cluster, node) -> cluster.serverCommands().time(node, TimeUnit.MILLISECONDS));
	}

	private <T> Map<String, T> ask(String command, Single<T> single, Each<T> each) {
		return this.scripts.<Map<String, T>>runAsGiven(command, SUBJECT, (connection) -> {
			Map<String, T> answers = new LinkedHashMap<>();
			if (connection instanceof RedisClusterConnection cluster) {
				for (RedisClusterNode node : cluster.clusterGetNodes()) {
					if (node.isMaster() && node.isConnected()) {
						put(answers, node.getHost() + ":" + node.getPort(), each.ask(cluster, node));
					}
				}
			}
			else {
				put(answers, ONLY, single.ask(connection));
			}
			return answers;
		});
	}

	/** A command that is queued in a transaction has no answer. */
	private static <T> void put(Map<String, T> answers, String node, @Nullable T answer) {
		if (answer != null) {
			answers.put(node, answer);
		}
	}

	/** Asks the only one. */
	private interface Single<T> {

		@Nullable T ask(RedisConnection connection);

	}

	/** Asks one of a cluster. */
	private interface Each<T> {

		@Nullable T ask(RedisClusterConnection cluster, RedisClusterNode node);

	}

}
