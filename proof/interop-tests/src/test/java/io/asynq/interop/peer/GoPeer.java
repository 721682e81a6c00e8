package io.asynq.interop.peer;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.DuplicateTaskException;
import io.asynq.Task;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskOptions;
import io.asynq.group.GroupLimits;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Go asynq in a separate process.
 */
public final class GoPeer implements Peer {

	private final Map<String, GoServer> servers = new ConcurrentHashMap<>();

	private final AtomicInteger names = new AtomicInteger();

	private final GoConnection connection;

	private final GoInspector inspector;

	public GoPeer(URI redis) {
		this(GoBinary.peer(), redis);
	}

	private GoPeer(Path executable, URI redis) {
		this.connection = new GoConnection(executable, redis, this::onEvent);
		this.inspector = new GoInspector(this.connection);
	}

	/**
	 * Starts a Go whose clock is a minute behind.
	 */
	public static GoPeer behind(URI redis) {
		return new GoPeer(GoBinary.peerBehind(), redis);
	}

	/**
	 * Kills it while it works: its servers are not shut down.
	 */
	public void kill() {
		this.connection.close();
	}

	@Override
	public TaskView enqueue(Task task, TaskOptions options) {
		try {
			return GoJson.task(this.connection.call("enqueue", arguments(task, options)));
		}
		catch (GoException ex) {
			throw switch (ex.kind()) {
				case "duplicate" -> new DuplicateTaskException(ex.getMessage());
				case "conflict" -> new TaskIdConflictException(ex.getMessage());
				default -> ex;
			};
		}
	}

	/**
	 * Enqueues many tasks whose payload is their id: a prefix and a number.
	 */
	public void enqueueMany(String queue, String type, String prefix, int count) {
		this.connection.call("enqueueMany", Map.of("queue", queue, "type", type, "prefix", prefix, "count", count));
	}

	/**
	 * Enqueues many tasks whose payload is their id into groups {@code g0}, {@code g1} …
	 * by turns.
	 * @param type the type
	 * @param prefix what their ids begin with; a number follows
	 * @param count how many
	 * @param groups how many groups
	 * @param unique whether each takes a lock
	 */
	public void enqueueGrouped(String type, String prefix, int count, int groups, boolean unique) {
		this.connection.call("enqueueGrouped", Map.of("queue", "default", "type", type, "prefix", prefix, "count",
				count, "groups", groups, "unique", unique));
	}

	/**
	 * Runs a server of the default queue until it has staged a group, which it does not
	 * aggregate.
	 */
	public void stageGroups() {
		this.connection.call("stageGroups", Map.of());
	}

	@Override
	public PeerServer serve(ServerSpec spec) {
		return serve(spec, Map.of());
	}

	/**
	 * Starts a server that aggregates groups of two into tasks whose payload is the group
	 * and the payloads.
	 * @param type the type of the new tasks
	 */
	public PeerServer serveGroupsOfTwo(ServerSpec spec, String type) {
		return serve(spec, Map.of("aggregateTo", type, "groupMaxSize", 2, "groupGraceMs", 1000));
	}

	@Override
	public PeerServer serveGroups(ServerSpec spec, String type, GroupLimits limits) {
		return serve(spec, Map.of("aggregateTo", type, "groupMaxSize", limits.maxSize(), "groupGraceMs",
				limits.gracePeriod().toMillis()));
	}

	@Override
	public TaskView task(String queue, String id) {
		return this.inspector.task(queue, id);
	}

	@Override
	public boolean exists(TaskView task) {
		try {
			this.inspector.task(task.queue(), task.id());
			return true;
		}
		catch (GoException ex) {
			if ("task-not-found".equals(ex.kind())) {
				return false;
			}
			throw ex;
		}
	}

	@Override
	public Set<String> queues() {
		return this.inspector.queues();
	}

	@Override
	public QueueView queue(String queue) {
		return this.inspector.queue(queue);
	}

	@Override
	public void cancel(String id) {
		this.inspector.cancel(id);
	}

	/**
	 * Returns Go's schedulers.
	 */
	public GoSchedulers schedulers() {
		return new GoSchedulers(this.connection);
	}

	/**
	 * Returns payloads that are structs of Go.
	 */
	public GoPayloads payloads() {
		return new GoPayloads(this.connection);
	}

	/**
	 * Returns what only Go's inspector can do.
	 */
	public GoInspector inspector() {
		return this.inspector;
	}

	/**
	 * Returns how Go's inspector works on many tasks, queues and schedulers.
	 */
	public GoInspection inspection() {
		return new GoInspection(this.connection);
	}

	@Override
	public void close() {
		try (this.connection) {
			this.servers.values().forEach(GoServer::close);
		}
	}

	@Override
	public String toString() {
		return "Go";
	}

	private PeerServer serve(ServerSpec spec, Map<String, Object> more) {
		String name = "server-" + this.names.incrementAndGet();
		GoServer server = new GoServer(name, this.connection);
		this.servers.put(name, server);
		server.start(spec, more);
		return server;
	}

	private void onEvent(JsonNode event) {
		GoServer server = this.servers.get(event.path("server").asString());
		if (server != null) {
			server.onEvent(event);
		}
	}

	private static Map<String, @Nullable Object> arguments(Task task, TaskOptions options) {
		Map<String, @Nullable Object> arguments = new HashMap<>();
		arguments.put("type", task.type());
		arguments.put("payload", task.payload());
		arguments.put("headers", task.headers().isEmpty() ? null : task.headers());
		arguments.put("queue", options.queue());
		arguments.put("taskId", options.taskId());
		arguments.put("maxRetry", options.maxRetry());
		arguments.put("timeoutMs", millis(options.timeout()));
		arguments.put("deadline", text(options.deadline()));
		arguments.put("uniqueMs", millis(options.uniqueTtl()));
		arguments.put("processAt", text(options.processTime(Clock.systemUTC().instant())));
		arguments.put("retentionMs", millis(options.retention()));
		arguments.put("group", options.group());
		return arguments;
	}

	private static @Nullable Long millis(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() : null;
	}

	private static @Nullable String text(@Nullable Instant instant) {
		return (instant != null) ? instant.toString() : null;
	}

}
