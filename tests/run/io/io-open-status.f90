! OPEN with every STATUS, and CLOSE with both.
program open_status
  integer :: s
  logical :: there
  character(10) :: text
  open (20, file='st.txt', status='old', iostat=s)
  print *, s /= 0
  open (20, file='st.txt', status='new', iostat=s)
  print *, s
  write (20, '(a)') 'one'
  close (20)
  open (20, file='st.txt', status='new', iostat=s)
  print *, s /= 0
  open (20, file='st.txt', status='unknown', iostat=s)
  read (20, '(a)') text
  print *, s, text
  close (20, status='keep')
  open (20, file='st.txt', status='replace', iostat=s)
  read (20, '(a)', iostat=s) text
  print *, s < 0
  close (20, status='delete')
  inquire (file='st.txt', exist=there)
  print *, there
  open (20, status='scratch', form='unformatted', iostat=s)
  write (20) 1, 2
  inquire (20, named=there)
  print *, s, there
  close (20)
  open (20, file='st.txt', status='scratch', iostat=s)
  print *, s /= 0
  open (20, status='old', iostat=s)
  print *, s /= 0
end program
