package io.asynq.interop.peer;

import java.util.Set;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.group.GroupLimits;

/**
 * One implementation on the shared Redis, as client, server and inspector.
 */
public interface Peer extends AutoCloseable {

	/**
	 * Enqueues a task.
	 * @param task the task; its own options are left out
	 * @param options the options
	 * @return what the implementation says it has enqueued
	 * @throws io.asynq.DuplicateTaskException if another task holds the lock
	 * @throws io.asynq.TaskIdConflictException if the id is taken
	 */
	TaskView enqueue(Task task, TaskOptions options);

	default TaskView enqueue(String type, String payload) {
		return enqueue(Task.of(type, payload), TaskOptions.none());
	}

	/**
	 * Starts a server.
	 * @param spec what it does
	 * @return the server; stopped by {@link #close()} if not before
	 */
	PeerServer serve(ServerSpec spec);

	/**
	 * Starts a server that turns groups into tasks whose payload is the group, a colon
	 * and the payloads of its tasks with commas in between.
	 * @param spec what it does
	 * @param type the type of the tasks it makes
	 * @param limits when groups are due; without a longest delay
	 * @return the server; stopped by {@link #close()} if not before
	 */
	PeerServer serveGroups(ServerSpec spec, String type, GroupLimits limits);

	TaskView task(String queue, String id);

	default TaskView task(TaskView task) {
		return task(task.queue(), task.id());
	}

	boolean exists(TaskView task);

	Set<String> queues();

	QueueView queue(String queue);

	/**
	 * Asks every server to cancel a task.
	 * @param id the task's id
	 */
	void cancel(String id);

	@Override
	void close();

}
