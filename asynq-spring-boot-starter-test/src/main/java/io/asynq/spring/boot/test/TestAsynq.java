package io.asynq.spring.boot.test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.enqueue.DefaultAsynqClient;
import io.asynq.internal.event.Observers;
import io.asynq.spring.boot.test.AutoConfigureAsynq.Mode;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Runs tasks in a test with {@link AutoConfigureAsynq}, in the thread that calls it. What
 * a server does with a task from its dequeue to its outcome is the real thing: handler,
 * converter, interceptors, decorators, error handlers, retry rules. Listeners of events
 * are called in the same thread, and the handler is interrupted at its deadline. Safe for
 * concurrent use: a second thread waits.
 */
public final class TestAsynq {

	private final Mode mode;

	private final TestBroker broker;

	private final EnqueuedTasks tasks;

	private final TestClock clock;

	private final ObjectProvider<TestServer> server;

	private final ObjectProvider<PeriodicFires> periodic;

	private final DefaultAsynqClient client;

	TestAsynq(Mode mode, TestBroker broker, EnqueuedTasks tasks, TestClock clock, ClientOptions client,
			ObjectProvider<TestServer> server, ObjectProvider<PeriodicFires> periodic) {
		this.mode = mode;
		this.broker = broker;
		this.tasks = tasks;
		this.clock = clock;
		this.client = new DefaultAsynqClient(broker.enqueuer(), client, Observers.none(), null);
		this.server = server;
		this.periodic = periodic;
	}

	/** Returns what was enqueued, which can be injected as well. */
	public EnqueuedTasks tasks() {
		return this.tasks;
	}

	/** Returns the attempts since the test method began. */
	public List<TaskAttempt> attempts() {
		return server().attempts();
	}

	/**
	 * Runs one attempt at a task now, in any mode and whatever the queue. The task is not
	 * among the enqueued ones. What becomes of it is stored: a retry waits, a unique lock
	 * is held until it is done.
	 * @param type the type
	 * @param payload the payload, {@code null} for none
	 * @return how the attempt ended
	 * @throws io.asynq.AsynqException if the client would refuse the task
	 */
	public TaskAttempt run(String type, @Nullable Object payload) {
		return run(this.client.taskOf(type, payload, Object.class));
	}

	/**
	 * Runs one attempt at a task now, as {@link #run(String, Object)} does.
	 * @param task the task, with headers and options if there are any
	 * @return how the attempt ended
	 * @throws io.asynq.AsynqException if the client would refuse the task
	 */
	public TaskAttempt run(Task task) {
		return server().run(this.client.request(task, TaskOptions.none()));
	}

	/**
	 * Runs everything that is pending or due, until nothing is left: also what handlers
	 * enqueue meanwhile, retries whose time has come, and what aggregators make of groups
	 * that are due. Only queues that {@code asynq.server.queues} lists, the heaviest
	 * first, and none that is paused.
	 * @return the attempts in their order
	 * @throws IllegalStateException in another mode than {@link Mode#DRAIN}, in a
	 * handler, if 1,000 tasks have run and more are due, or if the application has no
	 * server
	 */
	public List<TaskAttempt> drain() {
		requireDrain("drain()");
		return server().runDue();
	}

	/**
	 * Moves the clock of the queues ahead. Nothing runs, but what is due on the way
	 * becomes pending: scheduled tasks and retries, and periodic tasks at each of their
	 * times. Retentions and unique locks end. {@link #drain()} then aggregates groups and
	 * runs what is pending, at the new time.
	 * @param by how far, positive
	 * @throws IllegalStateException in another mode than {@link Mode#DRAIN}, or if
	 * periodic tasks are due more than 10,000 times
	 * @throws IllegalArgumentException if it is not positive
	 * @throws io.asynq.AsynqException if the task of a periodic task cannot be made
	 */
	public void advance(Duration by) {
		requireDrain("advance(" + by + ")");
		if (by.isNegative() || by.isZero()) {
			throw new IllegalArgumentException("The clock can only be moved ahead, but not by " + by);
		}
		Instant begin = this.clock.instant();
		advance(begin, begin.plus(by));
	}

	/**
	 * Moves the clock of the queues ahead to a time, as {@link #advance(Duration)} does:
	 * for example to when a retry is due, or to the night in which a periodic task fires.
	 * @param time a time after {@link #now()}
	 * @throws IllegalStateException in another mode than {@link Mode#DRAIN}, or if
	 * periodic tasks are due more than 10,000 times
	 * @throws IllegalArgumentException if the time has come already
	 * @throws io.asynq.AsynqException if the task of a periodic task cannot be made
	 */
	public void advanceTo(Instant time) {
		requireDrain("advanceTo(" + time + ")");
		Instant begin = this.clock.instant();
		if (!time.isAfter(begin)) {
			throw new IllegalArgumentException(
					"The clock can only be moved ahead, but not from " + begin + " to " + time);
		}
		advance(begin, time);
	}

	/**
	 * Returns the time of the queues.
	 * @return the present, and how far the clock was moved ahead
	 */
	public Instant now() {
		return this.clock.instant();
	}

	/**
	 * Begins anew, as before each test method: without tasks, attempts and locks, at the
	 * present time.
	 */
	public void reset() {
		this.broker.clear();
		this.tasks.clear();
		this.clock.reset();
		this.server.ifAvailable(TestServer::clear);
	}

	private void advance(Instant begin, Instant end) {
		this.periodic.ifAvailable((fires) -> fires.fire(begin, end, this::moveTo));
		moveTo(end);
	}

	private void moveTo(Instant time) {
		this.clock.moveTo(time);
		this.broker.settle();
	}

	private TestServer server() {
		TestServer present = this.server.getIfAvailable();
		if (present == null) {
			throw new IllegalStateException("No task can run, because this application has no server: set"
					+ " asynq.server.enabled=true for this test");
		}
		return present;
	}

	private void requireDrain(String call) {
		if (this.mode != Mode.DRAIN) {
			throw new IllegalStateException("TestAsynq." + call
					+ " needs @AutoConfigureAsynq(mode = Mode.DRAIN), but the" + " mode of this test is " + this.mode);
		}
	}

}
