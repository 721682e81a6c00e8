package io.asynq.server;

import java.util.Set;

import io.asynq.broker.ServerRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What live servers say they work on, asked for when it is first needed. Used by one
 * thread.
 */
final class ListedTasks {

	private final ServerRegistry servers;

	private @Nullable Set<String> ids;

	ListedTasks(ServerRegistry servers) {
		this.servers = servers;
	}

	/**
	 * Has them asked for anew.
	 */
	void forget() {
		this.ids = null;
	}

	/**
	 * Returns whether a server lists a task. Servers list ids without their queue's key,
	 * so a task of the same id in another queue counts, too.
	 * @param id the task's id
	 * @return whether one does
	 */
	boolean contains(String id) {
		if (this.ids == null) {
			this.ids = this.servers.listedTasks();
		}
		return this.ids.contains(id);
	}

}
