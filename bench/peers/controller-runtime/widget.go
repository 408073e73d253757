package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type WidgetSpec struct {
	Round   int64             `json:"round"`
	Host    string            `json:"host"`
	Paths   []WidgetPath      `json:"paths,omitempty"`
	Options map[string]string `json:"options,omitempty"`
}

type WidgetPath struct {
	Path    string `json:"path"`
	Service string `json:"service"`
	Port    int64  `json:"port"`
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec `json:"spec"`
}

type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Widget `json:"items"`
}

func (w *Widget) deepCopyInto(out *Widget) {
	*out = *w
	w.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Paths = append([]WidgetPath(nil), w.Spec.Paths...)
	if w.Spec.Options != nil {
		out.Spec.Options = make(map[string]string, len(w.Spec.Options))
		for k, v := range w.Spec.Options {
			out.Spec.Options[k] = v
		}
	}
}

func (w *Widget) DeepCopyObject() runtime.Object {
	out := &Widget{}
	w.deepCopyInto(out)
	return out
}

func (l *WidgetList) DeepCopyObject() runtime.Object {
	out := &WidgetList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy(), Items: make([]Widget, len(l.Items))}
	for i := range l.Items {
		l.Items[i].deepCopyInto(&out.Items[i])
	}
	return out
}

func addWidgetToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypeWithName(gvk, &Widget{})
	scheme.AddKnownTypeWithName(gvk.GroupVersion().WithKind("WidgetList"), &WidgetList{})
	metav1.AddToGroupVersion(scheme, gvk.GroupVersion())
	return nil
}
