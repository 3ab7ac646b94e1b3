! SELECTED_CHAR_KIND of names that are known at run time only.
program kinds
  implicit none
  character(10) :: names(5) = [character(10) :: 'ASCII', 'DEFAULT', 'ascii', 'nope', ' ']
  integer :: k
  integer, parameter :: constant = selected_char_kind('Ascii')
  do k = 1, 5
    print *, selected_char_kind(names(k))
  end do
  print *, selected_char_kind(trim(names(1))), selected_char_kind('de' // names(2)(3:)), constant
end program
