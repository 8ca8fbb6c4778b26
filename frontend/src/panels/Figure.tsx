// A number with its name, in a list of such; and how much there is of it at most.

interface FigureProps {
  name: string;
  value: string | number;
  of?: number;
  title?: string;
}

export function Figure({ name, value, of, title }: FigureProps) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{value}{of !== undefined && <small class="quiet"> / {of}</small>}</dd>
    </div>
  );
}
