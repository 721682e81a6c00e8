package io.asynq.internal.method;

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
	 * The message of what it throws continues the attribute's name.
	 */
	String resolve(String value) {
		String text;
		try {
			text = this.resolver.resolveStringValue(value);
		}
		catch (BeansException | IllegalArgumentException ex) {
			throw new IllegalArgumentException("cannot be resolved: " + ex.getMessage(), ex);
		}
		// Without a placeholder configurer, Spring leaves unknown placeholders as they
		// are
		if (text != null && text.contains("${")) {
			throw new IllegalArgumentException("cannot be resolved: there is no such property");
		}
		return (text != null) ? text : "";
	}

}
