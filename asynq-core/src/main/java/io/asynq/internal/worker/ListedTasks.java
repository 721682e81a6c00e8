package io.asynq.internal.worker;

import java.util.Set;
import java.util.function.Supplier;

import io.asynq.BrokerException;
import io.asynq.internal.lane.LaneThreads;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The tasks that any live server lists as running; on a cluster any of the nodes that
 * have the lists may hang, so that the answer may be unknown for a while.
 */
public final class ListedTasks {

	private static final Logger logger = OneLineLogger.of(ListedTasks.class);

	private final Supplier<Set<String>> listed;

	private final ActiveTasks active;

	private final Lanes lanes;

	private final LaneThreads threads;

	private @Nullable Set<String> ids;

	private boolean unknown;

	public ListedTasks(Supplier<Set<String>> listed, ActiveTasks active, Lanes lanes) {
		this.listed = listed;
		this.active = active;
		this.lanes = lanes;
		this.threads = lanes.threads("asynq-recoverer");
	}

	synchronized void forget() {
		this.ids = null;
		this.unknown = false;
	}

	boolean isOurs(String queue, String id) {
		return this.active.has(queue, id);
	}

	/**
	 * Also {@code true} if this is unknown, or for the same id in another queue, because
	 * servers list ids only.
	 */
	boolean contains(String queue, String id) {
		return isOurs(queue, id) || isListed(id);
	}

	private synchronized boolean isListed(String id) {
		if (this.ids == null && !this.unknown) {
			this.ids = this.lanes.ask(this.threads, "servers", this::ask);
			this.unknown = this.ids == null;
		}
		return this.ids == null || this.ids.contains(id);
	}

	private @Nullable Set<String> ask() {
		try {
			return this.listed.get();
		}
		catch (BrokerException ex) {
			// On a cluster, a node may be down that has none of our queues
			logger.debug("The tasks of live servers could not be read", ex);
			return null;
		}
	}

}
