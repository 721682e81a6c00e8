package io.asynq.operations;

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
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.ClusterNode;
import io.asynq.inspect.DailyStats;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.Listing;
import io.asynq.inspect.QueueInfo;
import org.jspecify.annotations.Nullable;

public final class QueueOperations {

	private final AsynqInspector inspector;

	public QueueOperations(AsynqInspector inspector) {
		this.inspector = inspector;
	}

	/** A queue that cannot be read hides no other. */
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

	public Listing<GroupInfo> groups(String queue, @Nullable String cursor, @Nullable Integer size) {
		requireQueue(queue);
		return this.inspector.groups(queue, cursor, (size != null) ? Cursor.requireSize(size) : Cursor.LARGEST);
	}

	public Placed place(String queue) {
		requireQueue(queue);
		return new Placed(queue, this.inspector.clusterKeySlot(queue), this.inspector.clusterNodes(queue));
	}

	/** Returns {@code false} if it was paused already. */
	public boolean pause(String queue) {
		// A misspelt name would be paused without notice
		requireQueue(queue);
		return changed(() -> this.inspector.pauseQueue(queue));
	}

	/** Returns {@code false} if it was not paused. */
	public boolean resume(String queue) {
		requireQueue(queue);
		return changed(() -> this.inspector.resumeQueue(queue));
	}

	/**
	 * Returns how many tasks the queue had.
	 * @param expectedCount required with force
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

	public record Placed(String queue, int slot, List<ClusterNode> nodes) {
	}

}
