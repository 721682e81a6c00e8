package io.asynq.spring.boot.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.server.ServerOptions;
import io.asynq.server.TaskWaitListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Takes tasks from the queues that the application's server serves, and runs them one by
 * one in the caller's thread. Safe for concurrent use: a second thread waits.
 */
final class TestServer {

	/** What takes more has no end. */
	private static final int MOST = 1000;

	private static final Logger logger = OneLineLogger.of(TestServer.class);

	private final RecordedTasks tasks;

	private final AttemptRunner runner;

	private final GroupRuns groups;

	private final TaskWaitListener waits;

	/** The heaviest comes first. */
	private final List<String> queues;

	private final List<TaskAttempt> attempts = new CopyOnWriteArrayList<>();

	private final ReentrantLock running = new ReentrantLock();

	TestServer(RecordedTasks tasks, AttemptRunner runner, GroupRuns groups, TaskWaitListener waits,
			ServerOptions options) {
		this.tasks = tasks;
		this.waits = waits;
		this.runner = runner;
		this.groups = groups;
		this.queues = options.queues()
			.weights()
			.entrySet()
			.stream()
			.sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
				.thenComparing(Map.Entry.comparingByKey()))
			.map(Map.Entry::getKey)
			.toList();
	}

	List<TaskAttempt> attempts() {
		return List.copyOf(this.attempts);
	}

	/** Runs a task that waits in no queue. */
	TaskAttempt run(EnqueueRequest request) {
		if (this.running.isHeldByCurrentThread()) {
			throw new IllegalStateException(
					"A handler must not run a task through TestAsynq: enqueue it, or call its method");
		}
		return exclusively(() -> run(this.tasks.take(request)));
	}

	/**
	 * Runs what is pending, and what becomes pending meanwhile. Does nothing when a
	 * handler calls it, because the run that goes on will find the task.
	 */
	List<TaskAttempt> runPending() {
		return this.running.isHeldByCurrentThread() ? List.of() : exclusively(() -> runAll(this::nextPending));
	}

	/**
	 * Runs what is pending or due, and what becomes so meanwhile. Groups are turned into
	 * tasks when nothing else is left to do.
	 */
	List<TaskAttempt> runDue() {
		if (this.running.isHeldByCurrentThread()) {
			throw new IllegalStateException("A handler must not drain the queues: only a test can");
		}
		return exclusively(() -> {
			this.groups.begin();
			return runAll(this::nextDue);
		});
	}

	void clear() {
		this.attempts.clear();
	}

	private <T> T exclusively(Supplier<T> work) {
		this.running.lock();
		try {
			return work.get();
		}
		finally {
			this.running.unlock();
		}
	}

	private List<TaskAttempt> runAll(Supplier<@Nullable LeasedTask> source) {
		List<TaskAttempt> ran = new ArrayList<>();
		LeasedTask next = source.get();
		while (next != null) {
			TaskAttempt attempt = run(next);
			ran.add(attempt);
			if (ran.size() == MOST) {
				throw new IllegalStateException(MOST + " tasks have run, and there are still more. The last one was "
						+ attempt + ". Does its handler enqueue a task of its own type without end?");
			}
			next = source.get();
		}
		return List.copyOf(ran);
	}

	private TaskAttempt run(LeasedTask task) {
		TaskAttempt attempt = this.runner.run(task);
		this.attempts.add(attempt);
		return attempt;
	}

	private @Nullable LeasedTask nextDue() {
		LeasedTask next;
		do {
			this.queues.forEach(this.tasks::settle);
			next = nextPending();
		}
		while (next == null && anyGroups());
		return next;
	}

	private boolean anyGroups() {
		boolean any = false;
		for (String queue : this.queues) {
			any |= this.groups.run(queue);
		}
		return any;
	}

	private @Nullable LeasedTask nextPending() {
		for (String queue : this.queues) {
			Duration waited = this.tasks.latency(queue);
			LeasedTask task = this.tasks.take(queue);
			if (task != null) {
				UserCode.run(() -> this.waits.onTaskTaken(queue, waited),
						(shown) -> logger.error("TaskWaitListener failed for queue {}", queue, shown));
				return task;
			}
		}
		return null;
	}

}
