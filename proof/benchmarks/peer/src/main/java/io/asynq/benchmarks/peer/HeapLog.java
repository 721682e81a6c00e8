package io.asynq.benchmarks.peer;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

import com.sun.management.GarbageCollectionNotificationInfo;

/** Young collections leave some garbage, so this is more than the live objects. */
final class HeapLog implements NotificationListener {

	/** Code and classes are pools too, and each collector has its own names */
	private static final Set<String> HEAP_POOLS = ManagementFactory.getMemoryPoolMXBeans()
		.stream()
		.filter((pool) -> pool.getType() == MemoryType.HEAP)
		.map(MemoryPoolMXBean::getName)
		.collect(Collectors.toUnmodifiableSet());

	private final List<Long> used = new ArrayList<>();

	void start() {
		emitters().forEach((emitter) -> emitter.addNotificationListener(this, null, null));
	}

	void collected(long bytes) {
		synchronized (this.used) {
			this.used.add(bytes);
		}
	}

	String stop() {
		for (NotificationEmitter emitter : emitters()) {
			try {
				emitter.removeNotificationListener(this);
			}
			catch (ListenerNotFoundException ex) {
				// Never started, because no task came
			}
		}
		synchronized (this.used) {
			int third = (this.used.size() + 2) / 3;
			return "heap_first_bytes=" + max(this.used.subList(0, third)) + " heap_last_bytes="
					+ max(this.used.subList(this.used.size() - third, this.used.size())) + " heap_max_bytes="
					+ max(this.used);
		}
	}

	@Override
	public void handleNotification(Notification notification, Object handback) {
		if (GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION.equals(notification.getType())) {
			long sum = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
				.getGcInfo()
				.getMemoryUsageAfterGc()
				.entrySet()
				.stream()
				.filter((pool) -> HEAP_POOLS.contains(pool.getKey()))
				.map(Map.Entry::getValue)
				.mapToLong(MemoryUsage::getUsed)
				.sum();
			collected(sum);
		}
	}

	private static long max(List<Long> values) {
		return values.stream().mapToLong(Long::longValue).max().orElse(0);
	}

	private static List<NotificationEmitter> emitters() {
		List<NotificationEmitter> emitters = new ArrayList<>();
		for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
			emitters.add((NotificationEmitter) collector);
		}
		return emitters;
	}

}
