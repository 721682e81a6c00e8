package io.asynq.interop.random;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Page;
import io.asynq.interop.peer.Attempt;
import io.asynq.interop.peer.PeerServer;

/**
 * The attempts that two servers have begun. Those that work until they are cancelled are
 * cancelled once each, after they have begun: an attempt that is cancelled before fails
 * without calling its handler, in both languages.
 */
final class Attempts {

	/** A server may not have subscribed yet when it begins its first attempt. */
	private static final Duration UNHEARD = Duration.ofSeconds(2);

	private final AsynqInspector inspector;

	private final PeerServer go;

	private final PeerServer java;

	private final List<Attempt> ofGo = new ArrayList<>();

	private final List<Attempt> ofJava = new ArrayList<>();

	private final List<String> blocking = new ArrayList<>();

	private final Map<String, Long> cancelled = new HashMap<>();

	Attempts(AsynqInspector inspector, PeerServer go, PeerServer java) {
		this.inspector = inspector;
		this.go = go;
		this.java = java;
	}

	List<Attempt> ofGo() {
		look(this.go, this.ofGo);
		return this.ofGo;
	}

	List<Attempt> ofJava() {
		look(this.java, this.ofJava);
		return this.ofJava;
	}

	/**
	 * Cancels one attempt that works until then, if there is any.
	 * @param number which of them
	 */
	void cancel(int number) {
		look();
		if (!this.blocking.isEmpty()) {
			cancel(this.blocking.remove(number % this.blocking.size()));
		}
	}

	/**
	 * Cancels all attempts that work until then.
	 */
	void cancelAll() {
		look();
		this.blocking.forEach(this::cancel);
		this.blocking.clear();
		this.inspector.listTasks(Applied.QUEUE, TaskState.ACTIVE, Page.of(1, 100))
			.stream()
			.map(TaskInfo::id)
			.filter(this::wasUnheard)
			.forEach(this::cancel);
	}

	private boolean wasUnheard(String id) {
		Long cancelled = this.cancelled.get(id);
		return cancelled != null && System.nanoTime() - cancelled > UNHEARD.toNanos();
	}

	private void cancel(String id) {
		this.inspector.cancelTask(id);
		this.cancelled.put(id, System.nanoTime());
	}

	private void look() {
		look(this.go, this.ofGo);
		look(this.java, this.ofJava);
	}

	private void look(PeerServer server, List<Attempt> attempts) {
		List<Attempt> begun = server.drainStarted();
		attempts.addAll(begun);
		begun.stream()
			.filter((attempt) -> Fate.ofType(attempt.type()) == Fate.BLOCK)
			.forEach((attempt) -> this.blocking.add(attempt.taskId()));
	}

}
