package io.asynq.internal.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.event.ArchiveReason;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TypePattern;
import io.asynq.internal.lifecycle.Waker;
import io.asynq.server.ServerOptions;
import io.asynq.server.UnknownTypes;

public final class MissingHandlers {

	private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

	/** Another server has a handler, or it is not known yet that none has. */
	private static final Duration SHORT_WAIT = Duration.ofSeconds(1);

	/** More types than this are found by the next look anyway. */
	private static final int MOST_MET = 1000;

	private final TaskHandlerFunction handler;

	private final UnknownTypes mode;

	private final Duration maxAge;

	private final Map<String, Map<String, Long>> byQueue = new ConcurrentHashMap<>();

	private final Set<String> met = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean taken = new AtomicBoolean();

	private final Waker loop;

	public MissingHandlers(TaskHandlerFunction handler, ServerOptions options, Waker loop) {
		this.loop = loop;
		this.handler = handler;
		this.mode = options.unknownTypes();
		this.maxAge = options.unknownTypesMaxAge();
	}

	/** A handler that is no mux takes all. */
	public boolean isHandledHere(String type) {
		return !(this.handler instanceof TaskMux mux) || mux.pattern(type).isPresent();
	}

	public String published() {
		if (!(this.handler instanceof TaskMux mux)) {
			return ServedTypes.text(Set.of(), Set.of(""));
		}
		Collection<TypePattern> patterns = mux.patterns();
		return ServedTypes.text(patterns.stream().filter((type) -> !type.prefix()).map(TypePattern::text).toList(),
				patterns.stream().filter(TypePattern::prefix).map(TypePattern::text).toList());
	}

	public Duration maxAge() {
		return this.maxAge;
	}

	/**
	 * @param tasks by type, without those for which another server has a handler
	 */
	public void note(String queue, Map<String, Long> tasks) {
		if (tasks.isEmpty()) {
			this.byQueue.remove(queue);
		}
		else {
			Map<String, Long> before = this.byQueue.put(queue, new TreeMap<>(tasks));
			if (before == null || !before.keySet().containsAll(tasks.keySet())) {
				this.taken.set(true);
			}
		}
	}

	public void forget() {
		this.byQueue.clear();
		this.met.clear();
		this.taken.set(false);
	}

	/** Tasks that nobody seems to have a handler for come back until they are put off. */
	public boolean wereTaken() {
		return this.taken.getAndSet(false);
	}

	/** By queue and type, as last found, and only types that no Java server handles. */
	public Map<String, Map<String, Long>> waiting() {
		return new TreeMap<>(this.byQueue);
	}

	boolean decides(String type) {
		return this.mode != UnknownTypes.RETRY && !isHandledHere(type);
	}

	Outcome decide(LeasedTask task, String error) {
		if (this.mode == UnknownTypes.ARCHIVE) {
			return new Outcome.Archive(task, error, ArchiveReason.NO_HANDLER);
		}
		Map<String, Long> waiting = this.byQueue.getOrDefault(task.message().queue(), Map.of());
		boolean nowhere = waiting.containsKey(task.message().type());
		note(task.message().type(), nowhere);
		return new Outcome.Unhandled(task, error, nowhere ? LONGEST_WAIT : SHORT_WAIT, this.maxAge);
	}

	private void note(String type, boolean nowhere) {
		boolean isNew = this.met.size() < MOST_MET && this.met.add(type);
		if (isNew || nowhere) {
			this.taken.set(true);
		}
		if (isNew) {
			this.loop.wake();
		}
	}

}
