/**
 * A peer of a comparison is a process that obeys lines on its standard input, so that it
 * stays warm while the others have their turn. A line is a verb and settings,
 * {@code serve redis=127.0.0.1:6379 concurrency=10}; the answer is one line,
 * {@code ok elapsed_ns=…} or {@code error <text>}. Everything else goes to the standard
 * error. The end of the input ends the peer. No value has a blank in it.
 *
 * <p>
 * Verbs, each with its settings and answers; times are nanoseconds, moments are
 * microseconds since the epoch:
 * <ul>
 * <li>{@code serve redis queues=<name:weight,…> concurrency tasks [variant=default|tuned]
 * [threads=platform|virtual] [work_micros=0] [fail_first=false]}: starts a worker for
 * tasks whose payloads carry the numbers 0 to tasks − 1.
 * <li>{@code await tasks timeout_ms}: waits until so many different tasks have been run
 * to their end: {@code seen, doubled, failed, elapsed_ns} (first start of a handler to
 * last end), {@code cpu_ns, alloc_bytes} (of the process, in that time),
 * {@code heap_first_bytes,
 * heap_last_bytes, heap_max_bytes} (live after the garbage collections of the first
 * third, the last third and all of the run; 0 where there was none).
 * <li>{@code again tasks}: forgets what was seen, for the next backlog of the same
 * worker.
 * <li>{@code starts}: {@code starts=<number>:<moment>,…}, the last start of each task.
 * <li>{@code stop}: stops the worker: {@code drain_ns, doubled} (also what ran again
 * after the last {@code await}).
 * <li>{@code enqueue redis queues tasks mode=single|batch|unique|scheduled [variant]
 * [threads=1] [batch=64] [first=0]}: enqueues: {@code elapsed_ns, cpu_ns}.
 * <li>{@code pace redis queues tasks gap_micros [variant] [first=0]}: enqueues one after
 * the other with gaps: {@code sent=<number>:<moment>,…}.
 * <li>{@code cpu}: {@code cpu_ns} of the process so far.
 * <li>{@code version}: {@code version}.
 * </ul>
 */
package io.asynq.benchmarks.peer;
