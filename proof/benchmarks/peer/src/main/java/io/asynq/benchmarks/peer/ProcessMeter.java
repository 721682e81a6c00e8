package io.asynq.benchmarks.peer;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

/** Between the first start of a handler and the end of the last. */
final class ProcessMeter {

	private static final OperatingSystemMXBean SYSTEM = (OperatingSystemMXBean) ManagementFactory
		.getOperatingSystemMXBean();

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final AtomicBoolean running = new AtomicBoolean();

	private final HeapLog heap = new HeapLog();

	private volatile long startNanos;

	private volatile long startCpu;

	private volatile long startAllocated;

	private volatile String report = "";

	static long cpuNanos() {
		return SYSTEM.getProcessCpuTime();
	}

	void started() {
		if (!this.running.get() && this.running.compareAndSet(false, true)) {
			this.heap.start();
			this.startCpu = cpuNanos();
			this.startAllocated = allocated();
			this.startNanos = System.nanoTime();
		}
	}

	void ended() {
		long elapsed = this.running.get() ? System.nanoTime() - this.startNanos : 0;
		this.report = "elapsed_ns=" + elapsed + " cpu_ns=" + (cpuNanos() - this.startCpu) + " alloc_bytes="
				+ (allocated() - this.startAllocated) + " " + this.heap.stop();
	}

	String report() {
		return this.report;
	}

	/**
	 * Sums up the allocations of living threads, because JDK 17 has no value for the
	 * process.
	 */
	private static long allocated() {
		long sum = 0;
		for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
			sum += Math.max(0, bytes);
		}
		return sum;
	}

}
