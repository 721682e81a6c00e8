package io.asynq.context;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.AsynqException;
import io.asynq.EnqueueInterceptor;
import io.asynq.OutgoingTask;
import io.asynq.context.ContextPropagator.Scope;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OncePerMinute;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * All {@link ContextPropagator}s of an application as one, in their order. With Spring
 * Boot it is a bean, made of theirs. Immutable and safe for concurrent use.
 */
public final class ContextPropagators {

	private static final Logger logger = OneLineLogger.of(ContextPropagators.class);

	private static final ContextPropagators NONE = new ContextPropagators(List.of());

	private final List<ContextPropagator> all;

	private final OncePerMinute failures = new OncePerMinute(System::nanoTime);

	private ContextPropagators(List<ContextPropagator> all) {
		this.all = List.copyOf(all);
	}

	/** Returns those that carry nothing. */
	public static ContextPropagators none() {
		return NONE;
	}

	/**
	 * Of headers with the same name, that of the first propagator counts.
	 */
	public static ContextPropagators of(List<? extends ContextPropagator> propagators) {
		return propagators.isEmpty() ? NONE : new ContextPropagators(List.copyOf(propagators));
	}

	/**
	 * Returns what puts the context into the headers of tasks: to be called before all
	 * other interceptors, so that these see the headers.
	 */
	public List<EnqueueInterceptor> interceptors() {
		return this.all.stream().<EnqueueInterceptor>map(Capture::new).toList();
	}

	/**
	 * Opens the context of a task in the present thread, to be closed in the same thread.
	 * Leaves no context behind if a propagator throws; closing never throws.
	 * @throws AsynqException if a propagator throws or returns {@code null}
	 */
	public Scope open(Map<String, String> headers) {
		if (this.all.isEmpty()) {
			return Scope.NONE;
		}
		Opened opened = new Opened();
		for (ContextPropagator propagator : this.all) {
			try {
				opened.add(propagator, propagator.open(headers));
			}
			catch (Throwable ex) {
				opened.close();
				UserCode.rethrowIfFatal(ex);
				throw new AsynqException("The ContextPropagator " + propagator.getClass().getName()
						+ " failed for the headers of a task: " + ex.getClass().getName(), ex);
			}
		}
		return opened;
	}

	/**
	 * Opens the context of a task as {@link #open} does, but logs what propagators throw,
	 * once a minute, instead of throwing it.
	 */
	public Scope openIfPossible(Map<String, String> headers) {
		Scope[] opened = { Scope.NONE };
		UserCode.run(() -> opened[0] = open(headers), this::failed);
		return opened[0];
	}

	private void failed(Throwable error) {
		if (this.failures.allows("")) {
			logger.warn(
					"A ContextPropagator failed: the context of a task is missing, or left behind; this is logged once a minute",
					error);
		}
	}

	private record Capture(ContextPropagator propagator) implements EnqueueInterceptor {

		@Override
		public void beforeEnqueue(OutgoingTask task) {
			captured().forEach((name, value) -> {
				if (!task.headers().containsKey(name)) {
					task.header(name, value);
				}
			});
		}

		private Map<String, String> captured() {
			try {
				return this.propagator.capture();
			}
			catch (Throwable ex) {
				UserCode.rethrowIfFatal(ex);
				throw new AsynqException(
						"ContextPropagator " + this.propagator.getClass().getName() + ": " + ex.getClass().getName(),
						ex);
			}
		}

	}

	/**
	 * Closes in reverse order, each scope whatever the others throw.
	 */
	private final class Opened implements Scope {

		private final List<Scope> scopes = new ArrayList<>(ContextPropagators.this.all.size());

		void add(ContextPropagator propagator, Scope scope) {
			if (scope == null) {
				throw new AsynqException(propagator.getClass().getName() + "#open returned null");
			}
			this.scopes.add(scope);
		}

		@Override
		public void close() {
			for (int i = this.scopes.size() - 1; i >= 0; i--) {
				UserCode.run(this.scopes.get(i)::close, ContextPropagators.this::failed);
			}
		}

	}

}
