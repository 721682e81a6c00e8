package io.asynq.payload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.jdk.MapSerializer;
import tools.jackson.databind.type.MapType;

/**
 * Has equal objects written as equal payloads by every process: unique tasks are compared
 * by their payloads.
 */
final class StableOrder extends ValueSerializerModifier {

	/**
	 * The JVM returns fields in the order of their declaration, but methods in an order
	 * that is another one in the next process. So properties that have only a getter are
	 * ordered by name, in the places that Jackson gives them.
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

	/**
	 * Returns the names of properties without a field, and without a place that an
	 * annotation or a constructor gives them.
	 */
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

	/**
	 * Leaves maps alone whose keys are always comparable, and those that something else
	 * writes.
	 */
	@Override
	public ValueSerializer<?> modifyMapSerializer(SerializationConfig config, MapType type,
			BeanDescription.Supplier description, ValueSerializer<?> serializer) {
		JavaType key = type.getKeyType();
		boolean comparable = key.isFinal() && key.isTypeOrSubTypeOf(Comparable.class);
		return (comparable || !(serializer instanceof MapSerializer)) ? serializer : new OrderedMaps(serializer);
	}

}
