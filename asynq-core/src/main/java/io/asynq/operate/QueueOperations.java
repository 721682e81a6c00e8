package io.asynq.operate;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.TaskState;
import io.asynq.info.ClusterNode;
import io.asynq.info.DailyStats;
import io.asynq.info.GroupInfo;
import io.asynq.info.Listing;
import io.asynq.info.QueueInfo;
import io.asynq.inspect.AsynqInspector;
import org.jspecify.annotations.Nullable;

/**
 * Looks at queues, pauses, resumes and deletes them. Safe for concurrent use.
 */
public final class QueueOperations {

	private final AsynqInspector inspector;

	public QueueOperations(AsynqInspector inspector) {
		this.inspector = inspector;
	}

	/**
	 * Returns all queues at a glance, up to {@value Cursor#LARGEST} of them. A queue that
	 * cannot be read hides no other.
	 * @param after the cursor of an earlier answer, {@code null} to begin
	 */
	public Overview overview(@Nullable String after) {
		List<String> all = List.copyOf(this.inspector.queues());
		Listing<String> names = Cursor.byName(all, Function.identity(), after);
		Map<TaskState, Long> tasks = new EnumMap<>(TaskState.class);
		List<Overview.Line> lines = new ArrayList<>();
		Map<String, String> unreadable = new LinkedHashMap<>();
		for (String name : names.entries()) {
			QueueInfo info = read(name, unreadable);
			if (info != null) {
				info.sizes().forEach((state, size) -> tasks.merge(state, size, Long::sum));
				lines.add(Overview.Line.of(info));
			}
		}
		return new Overview(all.size(), tasks, lines.stream().mapToLong(Overview.Line::waitingForLimit).sum(), lines,
				unreadable, this.inspector.servers().size(), this.inspector.schedulerEntries().size(), names.next());
	}

	/**
	 * Reads queues, up to {@value Cursor#LARGEST} of them.
	 * @param after the cursor of an earlier answer, {@code null} to begin
	 */
	public Listing<QueueInfo> queues(@Nullable String after) {
		Listing<String> names = Cursor.byName(this.inspector.queues(), Function.identity(), after);
		Map<String, String> unreadable = new LinkedHashMap<>();
		List<QueueInfo> infos = new ArrayList<>();
		for (String name : names.entries()) {
			QueueInfo info = read(name, unreadable);
			if (info != null) {
				infos.add(info);
			}
		}
		return new Listing<>(infos, names.next());
	}

	public QueueInfo queue(String queue) {
		return this.inspector.queueInfo(queue);
	}

	public List<DailyStats> history(String queue, int days) {
		return this.inspector.history(queue, days);
	}

	/**
	 * Lists groups of a queue, in no order.
	 * @param cursor the cursor of an earlier answer, {@code null} to begin
	 * @param size about how many, from 1 to {@value Cursor#LARGEST}; {@code null} for as
	 * many
	 */
	public Listing<GroupInfo> groups(String queue, @Nullable String cursor, @Nullable Integer size) {
		requireQueue(queue);
		return this.inspector.groups(queue, cursor, (size != null) ? Cursor.requireSize(size) : Cursor.LARGEST);
	}

	/** Returns where a queue is on a cluster. */
	public Placed place(String queue) {
		requireQueue(queue);
		return new Placed(queue, this.inspector.clusterKeySlot(queue), this.inspector.clusterNodes(queue));
	}

	/**
	 * Pauses a queue.
	 * @return {@code false} if it was paused already
	 */
	public boolean pause(String queue) {
		// A misspelt name would be paused without notice
		requireQueue(queue);
		return changed(() -> this.inspector.pauseQueue(queue));
	}

	/**
	 * Resumes a queue.
	 * @return {@code false} if it was not paused
	 */
	public boolean resume(String queue) {
		requireQueue(queue);
		return changed(() -> this.inspector.resumeQueue(queue));
	}

	/**
	 * Deletes a queue.
	 * @param force whether its tasks are deleted too
	 * @param expectedCount how many tasks the caller expects, required with force
	 * @return how many tasks it had
	 * @throws UnexpectedCountException if there are many more tasks than expected
	 */
	public long delete(String queue, boolean force, @Nullable Long expectedCount) {
		long size = this.inspector.queueInfo(queue).size();
		if (force) {
			UnexpectedCountException.throwIfMore(size, expectedCount);
		}
		this.inspector.deleteQueue(queue, force);
		return size;
	}

	void requireQueue(String queue) {
		if (!this.inspector.queues().contains(queue)) {
			throw new QueueNotFoundException(queue);
		}
	}

	private @Nullable QueueInfo read(String name, Map<String, String> unreadable) {
		try {
			return this.inspector.queueInfo(name);
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (QueueNotFoundException ex) {
			// Deleted a moment ago
			return null;
		}
		catch (AsynqException ex) {
			unreadable.put(name, String.valueOf(ex.getMessage()));
			return null;
		}
	}

	private static boolean changed(Runnable change) {
		try {
			change.run();
			return true;
		}
		catch (QueueStateException ex) {
			return false;
		}
	}

	/**
	 * Where a queue is on a cluster.
	 *
	 * @param queue the queue
	 * @param slot its hash slot
	 * @param nodes the nodes that hold it, the master first
	 */
	public record Placed(String queue, int slot, List<ClusterNode> nodes) {
	}

}
