package io.asynq.broker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.broker.fleet.ServedTypes;
import io.asynq.broker.fleet.ServerIdentity;
import io.asynq.broker.fleet.ServerSnapshot;
import io.asynq.broker.fleet.ServerWish;
import org.jspecify.annotations.Nullable;

/**
 * Where servers announce themselves and learn which Redis holds their queues. Safe for
 * concurrent use.
 */
public interface ServerRegistry {

	/**
	 * Lists a server, or goes on listing it. On a cluster the lists may lie on a master
	 * that does not answer, unlike the entry.
	 * @param ttl for how long it counts as alive
	 */
	void enlist(ServerIdentity server, Duration ttl);

	/**
	 * Writes or renews a server's entry.
	 * @param ttl for how long it counts as alive
	 * @return what was asked of it in the last minute, done or not; {@code null} for
	 * nothing
	 */
	@Nullable ServerWish write(ServerSnapshot server, Duration ttl);

	/**
	 * Asks something of a live Java server, in place of what was asked before. It hears
	 * of it with its next heartbeat.
	 */
	void ask(ServerIdentity server, ServerWish wish);

	/**
	 * Returns how many live servers there are, Go's included, if all that serve one of
	 * these queues publish their types. Others, such as Go's, do not know that a task may
	 * not have begun whose server has died.
	 * @return the number, 0 if one of them does not publish its types
	 */
	int countIfAllPublishTypes(Collection<String> queues);

	/**
	 * Writes or renews what types a server has handlers for.
	 * @param types see {@link ServedTypes#text}
	 * @param ttl for how long it counts as alive
	 */
	void writeTypes(ServerIdentity server, String types, Duration ttl);

	/**
	 * Writes which of its handlers a server has given up. It expires by itself.
	 * @param stuck the handlers in their text form
	 */
	void writeStuck(ServerIdentity server, String stuck, Duration ttl);

	/**
	 * Lists what live servers that take tasks serve, Go's included.
	 */
	List<ServedTypes> served();

	/**
	 * Lists the tasks that live servers, Go's included, say they work on. A server is
	 * alive as long as Redis keeps its entry, whatever its clock says.
	 * @return the ids of their tasks
	 */
	Set<String> listedTasks();

	/** Removes a server's entry. */
	void clear(ServerIdentity server);

	/**
	 * Returns whether queues lie on several Redis servers, so that one queue may be
	 * unreachable while others are not.
	 * @return whether they do, as far as is known
	 */
	boolean isPartitioned();

	/**
	 * Returns which master serves each queue, as far as the cluster knows.
	 * @return the masters' addresses, {@code host:port}, by queue
	 * @throws io.asynq.AsynqException if Redis is no cluster
	 */
	Map<String, String> masters(Collection<String> queues);

}
