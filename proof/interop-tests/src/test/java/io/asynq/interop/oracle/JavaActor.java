package io.asynq.interop.oracle;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.AsynqException;
import io.asynq.DuplicateTaskException;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskNotFoundException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.server.BrokenTask;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.NullNode;

/**
 * Our own classes.
 */
final class JavaActor implements Actor {

	private final List<BrokenTask> broken = new CopyOnWriteArrayList<>();

	private final Map<String, Operation> operations = new HashMap<>();

	private final JedisConnectionFactory connections;

	private final JavaServers servers;

	private final JavaSchedulers schedulers;

	JavaActor(TestRedis redis) {
		this.connections = RedisExtension.connectionFactory(redis);
		RedisBroker broker = new RedisBroker(this.connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				this.broken::add);
		this.servers = new JavaServers(broker);
		this.servers.addTo(this.operations);
		this.schedulers = new JavaSchedulers(broker);
		this.schedulers.addTo(this.operations);
		new JavaClient(broker).addTo(this.operations);
		new JavaInspection(broker).addTo(this.operations);
	}

	@Override
	public JsonNode perform(String command, JsonNode arguments) {
		Operation operation = this.operations.get(command);
		if (operation == null) {
			throw new IllegalArgumentException("Java has no operation '" + command + "'");
		}
		try {
			Object result = operation.perform(new Arguments(arguments));
			// Through text, so that numbers are of the same kind as Go's
			return (result != null) ? JsonMapper.shared().readTree(JsonMapper.shared().writeValueAsString(result))
					: NullNode.getInstance();
		}
		catch (AsynqException ex) {
			return JsonMapper.shared().createObjectNode().put("error", kind(ex));
		}
	}

	@Override
	public void close() {
		this.schedulers.close();
		this.servers.close();
		this.connections.destroy();
		if (!this.broken.isEmpty()) {
			throw new AssertionError("Java found tasks that make no sense: " + this.broken);
		}
	}

	@Override
	public String toString() {
		return "Java";
	}

	private static String kind(AsynqException ex) {
		if (ex instanceof DuplicateTaskException) {
			return "duplicate";
		}
		if (ex instanceof TaskIdConflictException) {
			return "conflict";
		}
		if (ex instanceof TaskNotFoundException) {
			return "task-not-found";
		}
		if (ex instanceof QueueNotEmptyException) {
			return "queue-not-empty";
		}
		if (ex instanceof QueueNotFoundException) {
			return "queue-not-found";
		}
		return "refused";
	}

	/**
	 * One kind of operation.
	 */
	@FunctionalInterface
	interface Operation {

		@Nullable Object perform(Arguments arguments);

	}

}
