! Arguments of the functions that select kinds are scalars.
program kind_selectors
  implicit none
  integer :: p(2), n
  n = selected_real_kind(p, 3)
  n = selected_real_kind(n, p)
  n = selected_int_kind(p)
  print *, n
end program
