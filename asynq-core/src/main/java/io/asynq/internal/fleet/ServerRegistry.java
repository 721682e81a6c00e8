package io.asynq.internal.fleet;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.worker.ServedTypes;
import org.jspecify.annotations.Nullable;

public interface ServerRegistry {

	/** On a cluster the lists, unlike the entry, may lie on a master that is away. */
	void enlist(ServerIdentity server, Duration ttl);

	/** Returns what was asked of the server in the last minute, done or not. */
	@Nullable ServerWish write(ServerSnapshot server, Duration ttl);

	/** Replaces what was asked before; the server hears of it with its next heartbeat. */
	void ask(ServerIdentity server, ServerWish wish);

	/**
	 * Counts all live servers, or 0 if a server of one of these queues, such as Go's,
	 * publishes no types: it does not know that a lost task may not have begun.
	 */
	int countIfAllPublishTypes(Collection<String> queues);

	void writeTypes(ServerIdentity server, String types, Duration ttl);

	void writeStuck(ServerIdentity server, String stuck, Duration ttl);

	List<ServedTypes> served();

	/** A server is alive as long as Redis keeps its entry, whatever its clock says. */
	Set<String> listedTasks();

	void clear(ServerIdentity server);

	/** Whether one queue may be unreachable while others are not. */
	boolean isPartitioned();

	Map<String, String> masters(Collection<String> queues);

}
