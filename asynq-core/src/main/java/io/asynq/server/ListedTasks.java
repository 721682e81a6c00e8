package io.asynq.server;

import java.util.Set;

import io.asynq.BrokerException;
import io.asynq.broker.ServerRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What live servers say they work on, asked for when it is first needed. Used by one
 * thread.
 */
final class ListedTasks {

	private static final Logger logger = LoggerFactory.getLogger(ListedTasks.class);

	private final ServerRegistry servers;

	private @Nullable Set<String> ids;

	private boolean unknown;

	ListedTasks(ServerRegistry servers) {
		this.servers = servers;
	}

	/**
	 * Has them asked for anew.
	 */
	void forget() {
		this.ids = null;
		this.unknown = false;
	}

	/**
	 * Returns whether a server lists a task, or that cannot be told. Servers list ids
	 * without their queue's key, so a task of the same id in another queue counts, too.
	 * @param id the task's id
	 * @return whether one does
	 */
	boolean contains(String id) {
		if (this.ids == null && !this.unknown) {
			ask();
		}
		return this.unknown || this.ids.contains(id);
	}

	private void ask() {
		try {
			this.ids = this.servers.listedTasks();
		}
		catch (BrokerException ex) {
			// On a cluster a node may be away that has no queue of ours
			logger.debug("It cannot be told what servers work on", ex);
			this.unknown = true;
		}
	}

}
