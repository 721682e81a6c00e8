package io.asynq.annotation;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;

/**
 * Resolves <code>${…}</code> and <code>#{…}</code> in attributes of annotations.
 */
final class AttributeResolver {

	private final EmbeddedValueResolver resolver;

	AttributeResolver(ConfigurableBeanFactory beanFactory) {
		this.resolver = new EmbeddedValueResolver(beanFactory);
	}

	/**
	 * Resolves an attribute.
	 * @param value its value
	 * @return the text, empty if it comes to nothing
	 * @throws IllegalArgumentException if it cannot be resolved; the message says so and
	 * why
	 */
	String resolve(String value) {
		String text;
		try {
			text = this.resolver.resolveStringValue(value);
		}
		catch (BeansException | IllegalArgumentException ex) {
			throw new IllegalArgumentException("cannot be resolved: " + ex.getMessage(), ex);
		}
		// Without a placeholder configurer, Spring leaves alone what it cannot resolve
		if (text != null && text.contains("${")) {
			throw new IllegalArgumentException("cannot be resolved: there is no such property");
		}
		return (text != null) ? text : "";
	}

}
