package io.asynq.payload;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonGeneratorDelegate;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes what has no order in the order of its bytes, because unique tasks are compared
 * by them: the entries of maps and trees by their keys, as Go does, and the elements of
 * sets by themselves.
 */
final class SortingGenerator extends JsonGeneratorDelegate {

	/** Is in no JSON, where control characters are escaped. */
	private static final String SEPARATOR = "\u001e";

	private static final JsonFactory PARTS = JsonFactory.builder().rootValueSeparator(SEPARATOR).build();

	/** Since Java 21 there are more of them than {@link LinkedHashSet}. */
	private static final @Nullable Class<?> SEQUENCED = ClassUtils.isPresent("java.util.SequencedSet", null)
			? ClassUtils.resolveClassName("java.util.SequencedSet", null) : null;

	private static final Comparator<String> BY_BYTES = (one, other) -> Arrays
		.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));

	private final Deque<Part> open = new ArrayDeque<>();

	private int depth;

	SortingGenerator(JsonGenerator json) {
		super(json, false);
	}

	/**
	 * For properties of a bean that come from a map.
	 */
	void beginEntries() {
		begin(null, new ArrayList<>());
	}

	void endEntries() {
		end();
	}

	@Override
	public JsonGenerator writeStartObject() {
		deeper();
		return super.writeStartObject();
	}

	@Override
	public JsonGenerator writeStartObject(Object value) {
		deeper();
		boolean unordered = (value instanceof Map<?, ?> map && map.size() > 1)
				|| (value instanceof ObjectNode tree && tree.size() > 1);
		return unordered ? begin(value, new ArrayList<>()) : super.writeStartObject(value);
	}

	@Override
	public JsonGenerator writeStartObject(Object value, int size) {
		return writeStartObject(value);
	}

	@Override
	public JsonGenerator writeEndObject() {
		if (isPart()) {
			end();
		}
		else {
			super.writeEndObject();
		}
		this.depth--;
		return this;
	}

	@Override
	public JsonGenerator writeStartArray() {
		deeper();
		return super.writeStartArray();
	}

	@Override
	public JsonGenerator writeStartArray(Object value) {
		deeper();
		boolean ordered = !(value instanceof Set<?> set) || set.size() < 2 || set instanceof SortedSet
				|| set instanceof LinkedHashSet || (SEQUENCED != null && SEQUENCED.isInstance(set));
		return ordered ? super.writeStartArray(value) : begin(value, null);
	}

	@Override
	public JsonGenerator writeStartArray(Object value, int size) {
		return writeStartArray(value);
	}

	@Override
	public JsonGenerator writeEndArray() {
		if (isPart()) {
			end();
		}
		else {
			super.writeEndArray();
		}
		this.depth--;
		return this;
	}

	@Override
	public JsonGenerator writeName(String name) {
		List<String> names = isPart() ? this.open.element().names : null;
		if (names == null) {
			return super.writeName(name);
		}
		names.add(name);
		return this;
	}

	@Override
	public JsonGenerator writeName(SerializableString name) {
		return isPart() ? writeName(name.getValue()) : super.writeName(name);
	}

	@Override
	public JsonGenerator writePropertyId(long id) {
		return writeName(Long.toString(id));
	}

	@Override
	public ObjectWriteContext objectWriteContext() {
		return this.open.isEmpty() ? super.objectWriteContext() : this.open.getLast().outside.objectWriteContext();
	}

	@Override
	public void close() {
		while (!this.open.isEmpty()) {
			this.delegate.close();
			this.delegate = this.open.pop().outside;
		}
		super.close();
	}

	private void deeper() {
		StreamWriteConstraints.defaults().validateNestingDepth(++this.depth);
	}

	private boolean isPart() {
		Part part = this.open.peek();
		return part != null && part.depth == this.depth;
	}

	/** The values that follow are written one by one, as if each were a document. */
	private JsonGenerator begin(@Nullable Object container, @Nullable List<String> names) {
		ByteArrayOutputStream values = new ByteArrayOutputStream();
		JsonGenerator inside = PARTS.createGenerator(new Compact(objectWriteContext()), values);
		this.open.push(new Part(this.depth, container, names, this.delegate, values));
		this.delegate = inside;
		return this;
	}

	private void end() {
		this.delegate.close();
		Part part = this.open.pop();
		this.delegate = part.outside;
		List<String> values = part.written();
		if (part.names == null) {
			values.sort(BY_BYTES);
			this.delegate.writeStartArray(part.container, values.size());
			values.forEach(this.delegate::writeRawValue);
			this.delegate.writeEndArray();
			return;
		}
		if (part.container != null) {
			this.delegate.writeStartObject(part.container);
		}
		sorted(part.names, values).forEach((name, value) -> this.delegate.writeName(name).writeRawValue(value));
		if (part.container != null) {
			this.delegate.writeEndObject();
		}
	}

	private Map<String, String> sorted(List<String> names, List<String> values) {
		if (names.size() != values.size()) {
			throw new UnwritableException(this, "a serializer has not written one value for each key of a map");
		}
		Map<String, String> sorted = new TreeMap<>(BY_BYTES);
		for (int i = 0; i < names.size(); i++) {
			if (sorted.put(names.get(i), values.get(i)) != null) {
				throw new UnwritableException(this, "two keys of a map have the same text, so one value would be lost");
			}
		}
		return sorted;
	}

	private record Part(int depth, @Nullable Object container, @Nullable List<String> names, JsonGenerator outside,
			ByteArrayOutputStream values) {

		List<String> written() {
			String all = this.values.toString(StandardCharsets.UTF_8);
			return all.isEmpty() ? List.of() : Arrays.asList(all.split(SEPARATOR));
		}

	}

	private static final class Compact extends ObjectWriteContext.Base {

		private final ObjectWriteContext mapper;

		Compact(ObjectWriteContext mapper) {
			this.mapper = mapper;
		}

		@Override
		public @Nullable CharacterEscapes getCharacterEscapes() {
			return this.mapper.getCharacterEscapes();
		}

		@Override
		public int getStreamWriteFeatures(int defaults) {
			return this.mapper.getStreamWriteFeatures(defaults);
		}

		@Override
		public int getFormatWriteFeatures(int defaults) {
			return this.mapper.getFormatWriteFeatures(defaults);
		}

	}

}
