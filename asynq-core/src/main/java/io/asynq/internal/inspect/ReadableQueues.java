package io.asynq.internal.inspect;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.inspect.ManyQueues.Answer;
import org.jspecify.annotations.Nullable;

/**
 * Halves a refused batch until the queue that is the reason is alone; a node that is away
 * costs one time-out, not one for each batch.
 */
final class ReadableQueues<T> {

	private final Collection<String> queues;

	private final Function<List<String>, Map<String, T>> reader;

	private final Function<Collection<String>, Map<String, String>> nodes;

	private final Map<String, T> values = new LinkedHashMap<>();

	private final Map<String, AsynqException> errors = new LinkedHashMap<>();

	private @Nullable Map<String, String> nodeOf;

	/** {@code nodes} finds nothing if there is only one node. */
	ReadableQueues(Collection<String> queues, Function<List<String>, Map<String, T>> reader,
			Function<Collection<String>, Map<String, String>> nodes) {
		this.queues = queues;
		this.reader = reader;
		this.nodes = nodes;
	}

	void read(List<String> batch) {
		if (this.errors.containsKey(batch.get(0))) {
			// Its node could not be reached for another batch
			return;
		}
		try {
			this.values.putAll(this.reader.apply(batch));
		}
		catch (BrokerUnavailableException ex) {
			giveUpNode(batch.get(0), ex);
		}
		catch (AsynqException ex) {
			if (batch.size() == 1) {
				this.errors.put(batch.get(0), ex);
				return;
			}
			int half = batch.size() / 2;
			read(batch.subList(0, half));
			read(batch.subList(half, batch.size()));
		}
	}

	Answer<T> answer() {
		return new Answer<>(this.values, this.errors);
	}

	private void giveUpNode(String away, BrokerUnavailableException error) {
		Map<String, String> found = nodeOf();
		String node = found.get(away);
		for (String queue : this.queues) {
			if (!this.values.containsKey(queue) && Objects.equals(found.get(queue), node)) {
				this.errors.putIfAbsent(queue, error);
			}
		}
	}

	private Map<String, String> nodeOf() {
		if (this.nodeOf == null) {
			try {
				this.nodeOf = this.nodes.apply(this.queues);
			}
			catch (AsynqException ex) {
				// No node can be asked
				this.nodeOf = Map.of();
			}
		}
		return this.nodeOf;
	}

}
