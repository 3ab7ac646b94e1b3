! Kinds that are chosen at run time; a statement function of derived type; DATA of a part of a string.
program kinds
  implicit none
  type person
    integer :: age
    character(5) :: name
  end type
  type(person) :: same, p, q
  integer :: i, digits(5) = [1, 3, 7, 12, 15]
  character(6) :: b, c
  same(p) = p
  data b(2:4) / 'abc' /
  data c(1:2) / 'x' /, c(5:6) / 'yz' /
  do i = 1, 5
    print *, digits(i), selected_int_kind(digits(i)), selected_real_kind(digits(i) / 2), &
      selected_real_kind(p=digits(i) / 3, r=20 * digits(i))
  end do
  q = same(person(42, 'Maria'))
  print *, q%age, q%name, '<', b, '>'
  print *, iachar(c(3:3)), iachar(c(4:4)), c(5:)
end program
