package io.asynq.payload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.ser.AnyGetterWriter;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.BeanSerializerBuilder;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * Has equal objects written as equal payloads by every process, because unique tasks are
 * compared by their payloads.
 */
final class StableOrder extends ValueSerializerModifier {

	/**
	 * The JVM returns methods in another order in the next process, so properties that
	 * have only a getter are ordered by name, in the places that Jackson gives them.
	 */
	@Override
	public List<BeanPropertyWriter> orderProperties(SerializationConfig config, BeanDescription.Supplier description,
			List<BeanPropertyWriter> properties) {
		Set<String> unordered = unordered(config, description);
		List<BeanPropertyWriter> getters = properties.stream()
			.filter((property) -> unordered.contains(property.getName()))
			.sorted(Comparator.comparing(BeanPropertyWriter::getName))
			.toList();
		List<BeanPropertyWriter> ordered = new ArrayList<>(properties);
		int next = 0;
		for (int i = 0; i < ordered.size(); i++) {
			if (unordered.contains(ordered.get(i).getName())) {
				ordered.set(i, getters.get(next++));
			}
		}
		return ordered;
	}

	private static Set<String> unordered(SerializationConfig config, BeanDescription.Supplier description) {
		Set<String> ordered = new HashSet<>();
		for (AnnotatedField field : description.getClassInfo().fields()) {
			if (!field.isTransient()) {
				ordered.add(field.getName());
			}
		}
		String[] listed = config.getAnnotationIntrospector()
			.findSerializationPropertyOrder(config, description.getClassInfo());
		ordered.addAll((listed != null) ? Arrays.asList(listed) : List.of());
		Set<String> unordered = new HashSet<>();
		for (BeanPropertyDefinition property : description.get().findProperties()) {
			if (!ordered.contains(property.getInternalName()) && !ordered.contains(property.getName())
					&& !property.getMetadata().hasIndex() && !property.hasConstructorParameter()) {
				unordered.add(property.getName());
			}
		}
		return unordered;
	}

	@Override
	public BeanSerializerBuilder updateBuilder(SerializationConfig config, BeanDescription.Supplier description,
			BeanSerializerBuilder builder) {
		List<BeanPropertyWriter> all = builder.getProperties();
		BeanPropertyWriter[] inViews = builder.getFilteredProperties();
		if (all.stream().anyMatch(AnyGetterWriter.class::isInstance)) {
			builder.setProperties(marked(all, all));
			builder.setFilteredProperties(
					(inViews != null) ? marked(all, Arrays.asList(inViews)).toArray(BeanPropertyWriter[]::new) : null);
		}
		return builder;
	}

	private static List<BeanPropertyWriter> marked(List<BeanPropertyWriter> all, List<BeanPropertyWriter> shown) {
		List<BeanPropertyWriter> marked = new ArrayList<>(shown);
		for (int i = all.size() - 1; i >= 0; i--) {
			if (all.get(i) instanceof AnyGetterWriter entries) {
				boolean hidden = shown.get(i) == null;
				marked.add(i + 1, hidden ? null : new Mark(entries, SortingGenerator::endEntries));
				marked.add(i, hidden ? null : new Mark(entries, SortingGenerator::beginEntries));
			}
		}
		return marked;
	}

	private static final class Mark extends BeanPropertyWriter {

		private final transient Consumer<SortingGenerator> mark;

		Mark(BeanPropertyWriter property, Consumer<SortingGenerator> mark) {
			super(property);
			this.mark = mark;
		}

		@Override
		public void serializeAsProperty(Object bean, JsonGenerator json, SerializationContext context) {
			if (json instanceof SortingGenerator sorting) {
				this.mark.accept(sorting);
			}
		}

	}

}
