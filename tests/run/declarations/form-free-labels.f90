! Statement labels in free form on FORMAT, CONTINUE, executable statements.
program form_free_labels
  implicit none
  integer :: i
  i = 0
10 i = i + 1
  if (i < 4) goto 10
  write (*, 100) i, i * 2
  100 format (1x, 'i=', i3, ' twice=', i4)
99999 print *, 'largest label'
end program
