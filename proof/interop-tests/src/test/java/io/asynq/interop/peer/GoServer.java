package io.asynq.interop.peer;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A server in the Go program.
 */
final class GoServer implements PeerServer {

	private final Events<Attempt> started = new Events<>();

	private final Events<AttemptEnd> ended = new Events<>();

	private final AtomicBoolean closed = new AtomicBoolean();

	private final String name;

	private final GoConnection connection;

	GoServer(String name, GoConnection connection) {
		this.name = name;
		this.connection = connection;
	}

	void start(ServerSpec spec, Map<String, Object> more) {
		Map<String, Object> arguments = new HashMap<>(more);
		arguments.put("name", this.name);
		arguments.put("concurrency", spec.concurrency());
		arguments.put("queues", spec.queues());
		arguments.put("shutdownTimeoutMs", spec.shutdownTimeout().toMillis());
		arguments.put("retryDelayMs", spec.retryDelay().toMillis());
		arguments.put("taskCheckMs", ServerSpec.TASK_CHECK.toMillis());
		arguments.put("delayedCheckMs", ServerSpec.DELAYED_CHECK.toMillis());
		arguments.put("janitorMs", ServerSpec.DELAYED_CHECK.toMillis());
		Map<String, Object> behaviours = new HashMap<>();
		spec.behaviours().forEach((type, behaviour) -> behaviours.put(type, arguments(behaviour)));
		arguments.put("behaviours", behaviours);
		this.connection.call("server.start", arguments);
	}

	void onEvent(JsonNode event) {
		if ("started".equals(event.path("event").asString())) {
			this.started.add(GoJson.attempt(event));
		}
		else {
			this.ended.add(GoJson.attemptEnd(event));
		}
	}

	@Override
	public Attempt awaitStarted() {
		return this.started.await();
	}

	@Override
	public AttemptEnd awaitEnded() {
		return this.ended.await();
	}

	@Override
	public List<Attempt> drainStarted() {
		return this.started.drain();
	}

	@Override
	public void release() {
		call("server.release");
	}

	@Override
	public void quiet() {
		call("server.stop");
	}

	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			call("server.shutdown");
		}
	}

	private void call(String command) {
		this.connection.call(command, Map.of("name", this.name));
	}

	private static Map<String, @Nullable Object> arguments(Behaviour behaviour) {
		Map<String, @Nullable Object> arguments = new HashMap<>();
		arguments.put("do", behaviour.action().name().toLowerCase(Locale.ROOT));
		arguments.put("times", behaviour.times());
		arguments.put("message", behaviour.message());
		arguments.put("result", behaviour.result());
		arguments.put("sleepMs", behaviour.duration().toMillis());
		return arguments;
	}

}
